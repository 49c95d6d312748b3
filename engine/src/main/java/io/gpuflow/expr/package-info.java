/**
 * Conditions and values in workflows and YAML checks: a subset of CEL (the Common Expression
 * Language), three-valued. Each expression is valid CEL with the same result, so that the engine
 * could be exchanged; the tests compare with {@code dev.cel}.
 */
package io.gpuflow.expr;
