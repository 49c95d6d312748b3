package io.gpuflow.advise.memory;

import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.memory.Weights.Layer;

/** The feed-forward as transformers computes it, dense or with experts. */
final class FeedForwardPass {
    private static final int FP32 = 4;

    private final ModelShape model;
    private final ModelShape.Block block;
    private final Share share;
    private final Ops ops;
    private final Tape tape;

    FeedForwardPass(ModelShape model, Share share, Ops ops) {
        this.model = model;
        this.block = model.block();
        this.share = share;
        this.ops = ops;
        this.tape = ops.tape();
    }

    Value run(Value x, Layer l) {
        tape.at("feed-forward");
        return l.experts ? mixture(x, l) : dense(x, l, share.ffn());
    }

    private Value dense(Value x, Layer l, long ffn) {
        Value inner;
        if (l.gate != null) {
            Value gate = ops.linear(x, l.gate, l.gateBias, ffn);
            Value active = active(gate.last());
            Value up = ops.linear(x, l.up, l.upBias, ffn);
            inner = ops.mul(active.last(), up.last(), "gated");
        } else if (model.gated()) {
            Value[] both = tape.split(ops.linear(x, l.up, l.upBias, 2 * ffn).last(), ffn, ffn);
            Value active = active(both[0].last());
            inner = ops.mul(both[1].last(), active.last(), "gated");
        } else {
            inner = active(ops.linear(x, l.up, l.upBias, ffn).last());
        }
        return ops.linear(inner.last(), l.down, l.downBias, model.hidden());
    }

    private Value active(Value x) {
        return switch (block.activation()) {
            case SILU -> ops.activation(x, "silu");
            case GELU -> ops.activation(x, "gelu");
            case RELU -> ops.fromResult(x, "relu");
            case GELU_NEW -> geluNew(x);
        };
    }

    /** 0.5 · x · (1 + tanh(c · (x + d · x³))), written out in Python. */
    private Value geluNew(Value x) {
        Value half = ops.scale(x.stays());
        Value cube = ops.scale(ops.pow(x).last());
        Value sum = ops.add(x.last(), cube.last());
        Value inside = ops.scale(sum.last());
        Value one = ops.shift(ops.fromResult(inside.last(), "tanh").last());
        return ops.mul(half.last(), one.last(), "result of gelu_new");
    }

    /**
     * Tokens are sorted by expert and all experts computed in one grouped product. DeepSeek's
     * router computes in fp32.
     */
    private Value mixture(Value x, Layer l) {
        Value shared = null;
        if (l.up != null) {
            shared = dense(x, l, share.sharedFfn());
        }
        ModelShape.Experts e = model.experts();
        tape.at("router");
        Value seen = model.latent() == null ? x : ops.to(x, FP32);
        Value logits = ops.linear(seen, l.router, null, e.count());
        if (seen != x) {
            seen.drop();
        }
        Value wide = ops.to(logits.last(), FP32);
        Value scores = ops.softmax(wide.last());
        Value chosen = ops.copy(scores.last(), x.rows, e.topK(), "chosen experts");
        Value each = tape.view(chosen.last(), share.routed(), 1);
        tape.at("experts");
        Value y = experts(x, l, each);
        if (shared == null) {
            return y;
        }
        if (l.sharedGate != null) {
            Value open = ops.linear(x, l.sharedGate, null, 1);
            Value gate = ops.fromResult(open.last(), "sigmoid");
            shared = ops.mul(gate.last(), shared.last(), "shared expert, gated");
        }
        return ops.add(y.last(), shared.last());
    }

    private Value experts(Value x, Layer l, Value scores) {
        long f = share.expertFfn();
        Value sorted = ops.copy(x, share.routed(), model.hidden(), "tokens by expert");
        Value first = ops.grouped(sorted, l.expertsUp, model.gated() ? 2 * f : f);
        Value inner;
        if (model.gated()) {
            Value[] both = tape.split(first.last(), f, f);
            Value active = active(both[0].last());
            inner = ops.mul(active.last(), both[1].last(), "gated");
        } else {
            inner = active(first.last());
        }
        Value second = ops.grouped(inner.last(), l.expertsDown, model.hidden());
        Value weighted = ops.mul(second.last(), scores.last(), "weighted");
        Value ordered =
                ops.copy(weighted.last(), share.routed(), model.hidden(), "tokens in order");
        Value y = ops.copy(ordered.last(), x.rows, model.hidden(), "sum of experts");
        sorted.drop();
        Value back = ops.to(y, x.width);
        if (back != y) {
            y.drop();
        }
        return back;
    }
}
