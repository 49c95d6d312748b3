package io.gpuflow.advise;

/**
 * What a user wants to train, and on what.
 *
 * @param gpus all of them, over all machines
 * @param perNode GPUs of one machine
 * @param gpuMemory bytes of one GPU; null when not known
 * @param layout null when it is to be found
 * @param microBatch null when it is to be found
 * @param globalBatch sequences in an optimizer step; null when any will do
 * @param recompute null when it is to be found
 */
public record Request(
        ModelShape model,
        int gpus,
        int perNode,
        Long gpuMemory,
        Layout layout,
        Integer microBatch,
        int seq,
        Integer globalBatch,
        Precision precision,
        Optimizer optimizer,
        Boolean recompute,
        Attention attention) {

    /** The work with a micro-batch, computing layers again or not. */
    public Workload work(int batch, boolean again) {
        return new Workload(batch, seq, globalBatch, precision, optimizer, again, attention);
    }

    /** Bytes of the largest tensor that a forward pass could make, fp32, attention's scores too. */
    public static double largestTensor(ModelShape m, int batch, int seq) {
        double widest = Math.max(m.vocab(), Math.max(m.hidden(), 2.0 * m.ffn()));
        double columns = Math.max(widest, (double) m.heads() * Math.max(m.headDim(), seq));
        return 4.0 * batch * seq * columns;
    }
}
