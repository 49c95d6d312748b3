/** Checks in YAML: a condition over facts and the words for it; interpreted, never compiled. */
package io.gpuflow.rules.check;
