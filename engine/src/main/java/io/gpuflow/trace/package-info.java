/**
 * What each rank was doing when a job hung: Flight Recorder dumps and NCCL RAS reports, and the
 * graph of who waits for whom. Reads and summarises; the verdict is the rules'.
 */
package io.gpuflow.trace;
