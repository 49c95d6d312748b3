/**
 * Bundles: the record of a run, or logs, in one archive that may leave the machine. Written here
 * without what is private, read back with limits; judged and printed elsewhere.
 */
package io.gpuflow.bundle;
