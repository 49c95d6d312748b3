package io.gpuflow.advise.memory;

import io.gpuflow.advise.ModelShape;
import java.util.ArrayList;
import java.util.List;

/**
 * The weights of the part of a model that one GPU computes, in the order in which they are
 * registered; a group is a layer, the last group is everything else.
 */
final class Weights {
    final List<Layer> layers = new ArrayList<>();
    final List<Parameter> rest = new ArrayList<>();
    final Parameter embedding;
    final Parameter positions;
    final Parameter finalNorm;
    final Parameter finalNormBias;
    final Parameter head;
    final Parameter headBias;

    private final ModelShape model;
    private final ModelShape.Block block;
    private final Share share;
    private final int width;

    /** What one layer has; null for what its family lacks. */
    static final class Layer {
        final List<Parameter> all = new ArrayList<>();
        boolean experts;
        boolean window;
        Parameter norm1;
        Parameter norm1Bias;
        Parameter norm2;
        Parameter norm2Bias;
        Parameter afterAttention;
        Parameter afterFeedForward;
        Parameter qkv;
        Parameter qkvBias;
        Parameter q;
        Parameter qBias;
        Parameter k;
        Parameter kBias;
        Parameter v;
        Parameter vBias;
        Parameter qNorm;
        Parameter kNorm;
        Parameter queryDown;
        Parameter queryDownNorm;
        Parameter keyDown;
        Parameter keyDownNorm;
        Parameter keyUp;
        Parameter out;
        Parameter outBias;
        Parameter gate;
        Parameter gateBias;
        Parameter up;
        Parameter upBias;
        Parameter down;
        Parameter downBias;
        Parameter router;
        Parameter expertsUp;
        Parameter expertsDown;
        Parameter sharedGate;
    }

    Weights(ModelShape model, Share share, int width) {
        this.model = model;
        this.block = model.block();
        this.share = share;
        this.width = width;
        long h = model.hidden();
        embedding = share.first() ? add(rest, "embedding", share.vocab(), h) : null;
        positions =
                share.first() && block.positions() > 0
                        ? add(rest, "positions", block.positions(), h)
                        : null;
        for (int i = 0; i < share.layers(); i++) {
            layers.add(layer(share.firstLayer() + i));
        }
        finalNorm = share.last() ? vector(rest, "final norm", h) : null;
        finalNormBias = share.last() && block.normBias() ? vector(rest, "final norm", h) : null;
        head = share.last() ? head(h) : null;
        headBias = share.last() && block.headBias() ? vector(rest, "bias", share.vocab()) : null;
    }

    private Parameter head(long h) {
        boolean same = model.tied() && embedding != null;
        return same ? embedding : add(rest, "output layer", share.vocab(), h);
    }

    List<Parameter> all() {
        List<Parameter> all = new ArrayList<>();
        layers.forEach(l -> all.addAll(l.all));
        all.addAll(rest);
        return all;
    }

    private Parameter add(List<Parameter> to, String name, long rows, long columns) {
        Parameter p = new Parameter(name, rows, columns, width, true);
        to.add(p);
        return p;
    }

    private Parameter vector(List<Parameter> to, String name, long columns) {
        Parameter p = new Parameter(name, 1, columns, width, false);
        to.add(p);
        return p;
    }

    private Parameter bias(Layer l, boolean has, String name, long columns) {
        return has ? vector(l.all, name, columns) : null;
    }

    private Layer layer(int index) {
        Layer l = new Layer();
        long h = model.hidden();
        l.window = block.window() != null && windowed(index);
        if (model.latent() == null) {
            attention(l, h);
        } else {
            latent(l, h, model.latent());
        }
        feedForward(l, h, index);
        norms(l, h);
        return l;
    }

    /** Windowed layers are spread evenly, a layer that sees all coming last of each group. */
    private boolean windowed(int index) {
        long n = block.windowLayers();
        return (index + 1) * n / model.layers() > index * n / model.layers();
    }

    private void attention(Layer l, long h) {
        long q = share.queryWidth();
        long kv = share.keyWidth();
        if (block.fusedQkv()) {
            l.qkv = add(l.all, "query, key, value", q + 2 * kv, h);
            l.qkvBias = bias(l, block.qkvBias(), "bias", q + 2 * kv);
        } else {
            l.q = add(l.all, "query", q, h);
            l.qBias = bias(l, block.qkvBias(), "bias", q);
            l.k = add(l.all, "key", kv, h);
            l.kBias = bias(l, block.qkvBias(), "bias", kv);
            l.v = add(l.all, "value", kv, h);
            l.vBias = bias(l, block.qkvBias(), "bias", kv);
        }
        l.out = add(l.all, "attention output", h, q);
        l.outBias = bias(l, block.outBias(), "bias", h);
        l.qNorm = bias(l, block.qkNorm(), "query norm", model.headDim());
        l.kNorm = bias(l, block.qkNorm(), "key norm", model.headDim());
    }

    private void latent(Layer l, long h, ModelShape.Latent a) {
        long heads = share.heads();
        long query = heads * (a.plain() + a.rotary());
        boolean low = a.queryRank() > 0;
        l.queryDown = low ? add(l.all, "query, down", a.queryRank(), h) : null;
        l.queryDownNorm = bias(l, low, "query norm", a.queryRank());
        l.q = add(l.all, "query", query, low ? a.queryRank() : h);
        l.keyDown = add(l.all, "key and value, down", a.keyRank() + a.rotary(), h);
        l.keyDownNorm = bias(l, true, "key norm", a.keyRank());
        l.keyUp = add(l.all, "key and value, up", heads * (a.plain() + a.value()), a.keyRank());
        l.out = add(l.all, "attention output", h, heads * a.value());
    }

    private void feedForward(Layer l, long h, int index) {
        ModelShape.Experts e = model.experts();
        l.experts = e != null && index >= e.denseLayers();
        if (!l.experts) {
            dense(l, h, share.ffn(), block.mlpBias());
            return;
        }
        l.router = add(l.all, "router", e.count(), h);
        long gates = model.gated() ? 2 : 1;
        l.expertsUp = add(l.all, "experts, up", share.experts() * gates * share.expertFfn(), h);
        l.expertsDown = add(l.all, "experts, down", share.experts() * h, share.expertFfn());
        if (e.shared() > 0) {
            dense(l, h, share.sharedFfn(), false);
        }
        l.sharedGate = e.sharedGate() ? add(l.all, "shared expert's gate", 1, h) : null;
    }

    private void dense(Layer l, long h, long f, boolean biases) {
        if (model.gated() && block.fusedGateUp()) {
            l.up = add(l.all, "gate and up", 2 * f, h);
        } else if (model.gated()) {
            l.gate = add(l.all, "gate", f, h);
            l.gateBias = bias(l, biases, "bias", f);
            l.up = add(l.all, "up", f, h);
        } else {
            l.up = add(l.all, "up", f, h);
        }
        l.upBias = bias(l, biases, "bias", f);
        l.down = add(l.all, "down", h, f);
        l.downBias = bias(l, biases, "bias", h);
    }

    private void norms(Layer l, long h) {
        l.norm1 = vector(l.all, "norm", h);
        l.norm1Bias = bias(l, block.normBias(), "norm", h);
        if (!block.sharedNorm()) {
            l.norm2 = vector(l.all, "norm", h);
            l.norm2Bias = bias(l, block.normBias(), "norm", h);
        }
        l.afterAttention = bias(l, block.postNorms(), "norm", h);
        l.afterFeedForward = bias(l, block.postNorms(), "norm", h);
    }
}
