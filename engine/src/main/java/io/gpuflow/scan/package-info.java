/**
 * The log scanner: many signatures over logs of any size in one pass, and what the recognised lines
 * tell together. One byte automaton looks for the texts that signatures require; a regular
 * expression runs only on lines that hold one.
 */
package io.gpuflow.scan;
