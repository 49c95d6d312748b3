/**
 * Running things. Every question to the machine, a command as well as a file, passes through {@link
 * io.gpuflow.tool.Tools}, so that it has a time limit, leaves a record and can be replayed.
 */
package io.gpuflow.tool;
