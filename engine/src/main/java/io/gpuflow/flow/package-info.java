/**
 * Acting: what a workflow is, in which order its steps run, what was run and what can be reused.
 */
package io.gpuflow.flow;
