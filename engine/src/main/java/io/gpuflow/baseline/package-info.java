/**
 * The healthy figures of a machine, kept on disk, and what has changed since. Reads and writes
 * files, judges nothing.
 */
package io.gpuflow.baseline;
