package io.gpuflow.advise;

/**
 * The parameters of a model, by part.
 *
 * @param embedding token embedding, and learned positions
 * @param head output layer; 0 when tied to the embedding
 * @param attention of one layer, biases and query/key norms with it
 * @param denseFeedForward of one dense layer
 * @param routedExperts of one layer with experts: all of them; 0 for a dense model
 * @param router of one layer with experts: router and shared expert
 * @param norms of one layer
 * @param finalNorm the norm before the output layer
 * @param total all of them
 * @param active those that one token passes: of the routed experts {@code topK}
 */
public record ParameterCount(
        long embedding,
        long head,
        long attention,
        long denseFeedForward,
        long routedExperts,
        long router,
        long norms,
        long finalNorm,
        long total,
        long active) {

    static ParameterCount of(ModelShape m) {
        ModelShape.Block b = m.block();
        long h = m.hidden();
        long embedding = h * m.vocab() + h * b.positions();
        long head = (m.tied() ? 0 : h * m.vocab()) + (b.headBias() ? m.vocab() : 0);
        long norm = b.normBias() ? 2 * h : h;
        long norms = norm * (b.postNorms() ? 4 : b.sharedNorm() ? 1 : 2);
        long dense = feedForward(m, m.ffn(), b.mlpBias());
        long routed = 0;
        long router = 0;
        long used = 0;
        ModelShape.Experts e = m.experts();
        if (e != null) {
            long one = feedForward(m, e.ffn(), false);
            routed = one * e.count();
            used = one * e.topK();
            router = h * e.count() + feedForward(m, e.shared(), false) + (e.sharedGate() ? h : 0);
        }
        long each = attention(m) + norms;
        long expertLayers = m.expertLayers();
        long denseLayers = m.layers() - expertLayers;
        long rest = embedding + head + norm + m.layers() * each + denseLayers * dense;
        return new ParameterCount(
                embedding,
                head,
                attention(m),
                dense,
                routed,
                router,
                norms,
                norm,
                rest + expertLayers * (routed + router),
                rest + expertLayers * (used + router));
    }

    private static long attention(ModelShape m) {
        if (m.latent() != null) {
            return latentAttention(m, m.latent());
        }
        ModelShape.Block b = m.block();
        long h = m.hidden();
        long q = m.queryWidth();
        long kv = m.keyWidth();
        long matrices = h * (q + 2 * kv) + q * h;
        long biases = (b.qkvBias() ? q + 2 * kv : 0) + (b.outBias() ? h : 0);
        return matrices + biases + (b.qkNorm() ? 2L * m.headDim() : 0);
    }

    private static long latentAttention(ModelShape m, ModelShape.Latent l) {
        long h = m.hidden();
        long heads = m.heads();
        long query = heads * (l.plain() + l.rotary());
        long queries =
                l.queryRank() == 0
                        ? h * query
                        : h * l.queryRank() + l.queryRank() + l.queryRank() * query;
        long keys =
                h * (l.keyRank() + l.rotary())
                        + l.keyRank()
                        + l.keyRank() * heads * (l.plain() + l.value());
        return queries + keys + heads * l.value() * h;
    }

    private static long feedForward(ModelShape m, long ffn, boolean biases) {
        long matrices = (m.gated() ? 3L : 2L) * m.hidden() * ffn;
        return matrices + (biases ? (m.gated() ? 2 : 1) * ffn + m.hidden() : 0);
    }
}
