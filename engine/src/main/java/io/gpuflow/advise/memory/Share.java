package io.gpuflow.advise.memory;

import io.gpuflow.advise.Layout;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Workload;

/**
 * What one GPU computes of a model: the sizes that tensor, pipeline, context and expert parallelism
 * leave to it. Sizes that do not divide are rounded up.
 *
 * @param tokens rows of the residual stream outside of attention and feed-forward
 * @param products rows that its matrix products see
 * @param keys tokens that a query may look at: the whole sequence, whatever divides it
 * @param batch sequences
 * @param first the embedding is here
 * @param last the output layer and the loss are here
 */
record Share(
        long tokens,
        long products,
        long keys,
        long batch,
        int layers,
        int firstLayer,
        boolean first,
        boolean last,
        long heads,
        long kvHeads,
        long queryWidth,
        long keyWidth,
        long ffn,
        long vocab,
        long experts,
        long expertFfn,
        long sharedFfn,
        long routed) {

    /**
     * @param stage of the pipeline, from 0
     */
    static Share of(ModelShape m, Workload w, Layout l, int stage) {
        long rows = divided(w.tokens(), l.cp());
        int each = (int) divided(m.layers(), l.pp());
        int from = Math.min(stage * each, m.layers());
        long heads = divided(m.heads(), l.tp());
        long kvHeads = divided(m.kvHeads(), l.tp());
        ModelShape.Experts e = m.experts();
        return new Share(
                l.sequenceParallel() ? divided(rows, l.tp()) : rows,
                rows,
                w.seq(),
                w.microBatch(),
                Math.min(each, m.layers() - from),
                from,
                stage == 0,
                stage == l.pp() - 1,
                heads,
                kvHeads,
                heads * m.headDim(),
                kvHeads * m.headDim(),
                divided(m.ffn(), l.tp()),
                divided(m.vocab(), l.tp()),
                e == null ? 0 : divided(e.count(), l.ep()),
                e == null ? 0 : divided(e.ffn(), l.ep() > 1 ? 1 : l.tp()),
                e == null ? 0 : divided(e.shared(), l.tp()),
                e == null ? 0 : rows * e.topK());
    }

    private static long divided(long size, int ranks) {
        return (size + ranks - 1) / ranks;
    }
}
