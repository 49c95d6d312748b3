/**
 * What training a model costs on every GPU, in memory and in time, for each way of dividing it.
 *
 * <p>Arithmetic alone: no process, no file, no printing. It imports facts and nothing else of ours.
 */
package io.gpuflow.advise;
