package io.gpuflow.advise.memory;

import io.gpuflow.advise.Attention;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Precision;
import io.gpuflow.advise.Workload;
import io.gpuflow.advise.memory.Weights.Layer;

/** Attention as transformers computes it. */
final class AttentionPass {
    private static final int FP32 = 4;

    private final ModelShape model;
    private final ModelShape.Block block;
    private final Share share;
    private final Workload work;
    private final Ops ops;
    private final Tape tape;
    private final Norms norms;
    private final AttentionKernel kernel;
    private Storage mask;
    private int residualWidth;

    AttentionPass(ModelShape model, Share share, Workload work, Ops ops) {
        this.model = model;
        this.block = model.block();
        this.share = share;
        this.work = work;
        this.ops = ops;
        this.tape = ops.tape();
        this.norms = new Norms(ops);
        this.kernel = new AttentionKernel(ops);
    }

    /** Before the first layer: the mask, where one is made. */
    void begin(Value x) {
        residualWidth = x.width;
        tape.at("attention mask");
        if (work.attention() == Attention.EAGER) {
            mask =
                    tape.temporary(
                            "of numbers", share.batch() * share.keys(), share.keys(), x.width);
        } else if (masked()) {
            mask = tape.temporary("of booleans", share.batch() * share.keys(), share.keys(), 1);
        } else {
            mask = null;
        }
    }

    void end() {
        if (mask != null) {
            mask.release();
        }
    }

    /** A window that is shorter than the sequence, or as long, needs a mask (sdpa alone). */
    private boolean masked() {
        return work.attention() == Attention.SDPA
                && block.window() != null
                && block.windowLayers() > 0
                && share.keys() >= block.window();
    }

    Value run(Value n, Layer l) {
        tape.at("attention");
        Value[] qkv = l.keyDown != null ? latent(n, l) : projected(n, l);
        Value y = attend(qkv[0], qkv[1], qkv[2], l);
        Value out = ops.linear(y.last(), l.out, l.outBias, model.hidden());
        for (Value v : qkv) {
            v.drop();
        }
        return out;
    }

    private Value[] projected(Value n, Layer l) {
        Value q;
        Value k;
        Value v;
        if (l.qkv != null) {
            Value all = ops.linear(n, l.qkv, l.qkvBias, l.qkv.rows);
            Value[] parts =
                    tape.split(all.last(), share.queryWidth(), share.keyWidth(), share.keyWidth());
            q = parts[0];
            k = parts[1];
            v = parts[2];
        } else {
            q = headNorm(ops.linear(n, l.q, l.qBias, share.queryWidth()), l.qNorm);
            k = headNorm(ops.linear(n, l.k, l.kBias, share.keyWidth()), l.kNorm);
            v = ops.linear(n, l.v, l.vBias, share.keyWidth());
        }
        if (block.rotaryDim() == 0) {
            return new Value[] {q, k, v};
        }
        Value turnedQ = rotary(q, share.heads());
        Value turnedK = rotary(k, share.kvHeads());
        q.drop();
        k.drop();
        return new Value[] {turnedQ, turnedK, v};
    }

    private Value headNorm(Value x, Parameter weight) {
        if (weight == null) {
            return x;
        }
        long heads = x.columns / model.headDim();
        Value each = tape.view(x.last(), x.rows * heads, model.headDim());
        boolean plusOne = block.norm() == ModelShape.Norm.RMS_PLUS_ONE;
        Value normed =
                block.norm() == ModelShape.Norm.LAYER
                        ? norms.layerNorm(each, weight, null)
                        : norms.rmsNorm(each, weight, plusOne);
        each.drop();
        return tape.view(normed.last(), x.rows, x.columns);
    }

    /** (x · cos) + (half turned · sin), in the wider format of x and the residual stream. */
    private Value rotary(Value x, long heads) {
        boolean whole = block.rotaryDim() == model.headDim() && !block.joinsRotary();
        long columns = heads * block.rotaryDim();
        Value part = whole ? x : ops.slice(x, columns);
        Value straight = byAngle(part);
        Value second = ops.slice(part, columns / 2);
        Value negated = ops.negated(second.last());
        Value first = ops.slice(part, columns / 2);
        Value turned = ops.beside(negated.last(), first.last());
        Value sum = ops.add(straight.last(), byAngle(turned.last()).last());
        if (whole) {
            return sum;
        }
        part.drop();
        Value rest = ops.slice(x, x.columns - columns);

        return ops.beside(sum.last(), rest.last());
    }

    private Value byAngle(Value x) {
        Value angle = new Value(none(), 1, 1, residualWidth, null, 0);
        return ops.mul(x, angle, "rotated");
    }

    private Storage none() {
        return tape.memory().allocate("", Part.TEMPORARY, 0, 0, 1);
    }

    private Value[] latent(Value n, Layer l) {
        ModelShape.Latent a = model.latent();
        Value low = n;
        if (l.queryDown != null) {
            Value down = ops.linear(n, l.queryDown, null, a.queryRank());
            low = norms.rmsNorm(down, l.queryDownNorm, false).last();
            down.drop();
        }
        Value q = ops.linear(low, l.q, null, l.q.rows);
        Value down = ops.linear(n, l.keyDown, null, a.keyRank() + a.rotary());
        Value[] parts = tape.split(down.last(), a.keyRank(), a.rotary());
        Value normed = norms.rmsNorm(parts[0], l.keyDownNorm, false);
        parts[0].drop();
        Value up = ops.linear(normed.last(), l.keyUp, null, l.keyUp.rows);
        long heads = share.heads();
        Value plain = ops.slice(q, heads * a.plain());
        Value turned = byAngle(ops.slice(q.last(), heads * a.rotary()).last());
        Value query = ops.beside(plain.last(), turned.last());
        Value[] keyValue = tape.split(up.last(), heads * a.plain(), heads * a.value());
        Value keyTurned = byAngle(parts[1].last());
        Value every =
                ops.copy(keyTurned.last(), n.rows, heads * a.rotary(), "rotated key, every head");
        Value key = ops.beside(keyValue[0].last(), every.last());
        return new Value[] {query, key, keyValue[1]};
    }

    private Value attend(Value q, Value k, Value v, Layer l) {
        if (work.attention() == Attention.EAGER || mathKernel()) {
            return eager(q, k, v);
        }
        Value key = k;
        Value value = v;
        boolean masked = mask != null && l.window;
        if (masked && share.heads() > share.kvHeads()) {
            key = repeated(k);
            value = repeated(v);
        }
        Value y = kernel.run(q, key, value, share.heads(), outWidth(), masked ? mask : null);
        // The kernel's result lies in memory as the queries do, the next product wants tokens
        // first.
        boolean headsFirst = block.joinsRotary() || model.latent() != null;
        return headsFirst && !masked ? ops.copy(y.last(), y.rows, y.columns, "tokens first") : y;
    }

    private double dropout() {
        return block.attentionDropout();
    }

    private long outWidth() {
        return model.latent() == null ? share.queryWidth() : share.heads() * model.latent().value();
    }

    /** In fp32 there is no flash kernel, and the other one knows no grouped queries. */
    private boolean mathKernel() {
        return work.precision() == Precision.FP32
                && work.attention() == Attention.SDPA
                && share.kvHeads() < share.heads();
    }

    /** Keys or values for every query head; one head is seen many times without a copy. */
    private Value repeated(Value x) {
        return share.kvHeads() == 1
                ? tape.view(x, x.rows, share.queryWidth()).last()
                : ops.copy(x, x.rows, share.queryWidth(), "heads repeated").last();
    }

    /** Scores of every two tokens of every head: batch · heads · tokens rows. */
    private Value eager(Value q, Value k, Value v) {
        boolean grouped = share.heads() > share.kvHeads();
        Value key = grouped ? repeated(k) : k;
        Value value = grouped ? repeated(v) : v;
        long rows = share.heads() * q.rows;
        long keys = share.keys();
        Value scores = ops.batched(merged(q), merged(key), "scores", rows, keys);
        scores = ops.scale(scores.last());
        if (block.scoreSoftcap()) {
            Value small = ops.scale(scores.last());
            scores = ops.scale(ops.fromResult(small.last(), "tanh").last());
        }
        if (work.attention() == Attention.EAGER) {
            Value m = new Value(mask, rows / share.heads(), keys, residualWidth, null, 0);
            scores = ops.add(scores.last(), m);
        }
        Value wide = ops.to(scores, FP32);
        Value weights = ops.softmax(wide.last());
        Value back = ops.to(weights, q.width);
        if (back != weights) {
            weights.drop();
        }
        if (wide != scores) {
            scores.drop();
        }
        Value kept = dropout() > 0 ? ops.dropout(back.last(), dropout()) : back;
        Value y =
                ops.batched(kept.last(), merged(value), "result of attention", q.rows, outWidth());
        return ops.copy(y.last(), y.rows, y.columns, "heads side by side");
    }

    /** Batch and heads as one dimension: a copy, unless there is one sequence. */
    private Value merged(Value x) {
        Value low = ops.lower(x);
        return share.batch() == 1 ? low : ops.copy(low, x.rows, x.columns, "heads apart").last();
    }
}
