/**
 * What to ask a machine: one class per source. Each may be missing, restricted or hang: then its
 * facts are unknown.
 */
package io.gpuflow.probe;
