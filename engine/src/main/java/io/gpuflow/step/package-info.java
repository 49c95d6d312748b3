/**
 * The built-in steps that a workflow names by {@code uses:}: what they run, and how what came back
 * is turned into facts. They judge nothing; the rules do.
 */
package io.gpuflow.step;
