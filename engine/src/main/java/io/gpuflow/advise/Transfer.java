package io.gpuflow.advise;

/**
 * A kind of communication in an optimizer step, as one rank sees it.
 *
 * @param text what it is
 * @param op collective in nccl-tests' words
 * @param bytes whole message of one call
 * @param calls in an optimizer step
 * @param hides behind what it can hide
 */
record Transfer(
        String text, String op, int ranks, Scope scope, double bytes, double calls, Hides hides) {

    /** What compute it runs beside. */
    enum Hides {
        /** The forward pass: gathered ahead of the layer that needs it. */
        FORWARD,
        /** The backward pass: gradients of later layers go while earlier ones are computed. */
        BACKWARD,
        /** Nothing: who waits for it has nothing else to do. */
        NOTHING
    }

    double total() {
        return bytes * calls;
    }
}
