package io.gpuflow.advise.memory;

import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Workload;
import io.gpuflow.advise.memory.Weights.Layer;
import java.util.List;

/**
 * The forward pass of a decoder as transformers computes it, variable by variable: what a function
 * still holds while the next operation runs counts.
 */
final class Decoder {
    /** What a wrapper does around each layer. */
    interface Wrapper {
        default void beforeForward(int group) {}

        default void afterForward(int group) {}

        default void beforeBackward(int group) {}

        default void afterBackward(int group) {}
    }

    private static final int FP32 = 4;

    private final ModelShape model;
    private final ModelShape.Block block;
    private final Share share;
    private final Weights weights;
    private final Workload work;
    private final Ops ops;
    private final Tape tape;
    private final Wrapper wrapper;
    private final Norms norms;
    private final AttentionPass attention;
    private final FeedForwardPass feedForward;

    Decoder(
            ModelShape model,
            Share share,
            Weights weights,
            Workload work,
            Ops ops,
            Wrapper wrapper) {
        this.model = model;
        this.block = model.block();
        this.share = share;
        this.weights = weights;
        this.work = work;
        this.ops = ops;
        this.tape = ops.tape();
        this.wrapper = wrapper;
        this.norms = new Norms(ops);
        this.attention = new AttentionPass(model, share, work, ops);
        this.feedForward = new FeedForwardPass(model, share, ops);
    }

    /** The group of the embedding, the final norm and the output layer. */
    int root() {
        return weights.layers.size();
    }

    /** Computes the loss, or what the next pipeline stage gets. */
    Value forward(Storage ids, Value received) {
        wrapper.beforeForward(root());
        tape.at("embedding");
        Value x = share.first() ? embed(ids) : received;
        attention.begin(x);
        for (int i = 0; i < weights.layers.size(); i++) {
            Value input = x;
            x = work.recompute() ? later(input, i) : kept(input, i);
            input.drop();
        }
        attention.end();
        Value result = share.last() ? loss(x) : tape.hook(x, () -> wrapper.beforeBackward(root()));
        wrapper.afterForward(root());
        return result;
    }

    private Value embed(Storage ids) {
        Value x = ops.embedding(weights.embedding, share.tokens(), ids);
        if (block.norm() == ModelShape.Norm.RMS_PLUS_ONE) {
            x = ops.scale(x.last());
        }
        if (weights.positions != null) {
            long rows = share.keys();
            Value p = ops.embedding(weights.positions, rows, ids);
            x = ops.add(x.last(), p.last());
        }
        return dropped(x, block.embedDropout());
    }

    private Value dropped(Value x, double probability) {
        return probability > 0 ? ops.dropout(x.last(), probability) : x;
    }

    private Value kept(Value x, int index) {
        wrapper.beforeForward(index);
        Value in = tape.hook(x, () -> wrapper.afterBackward(index));
        Value out = layer(in, weights.layers.get(index));
        wrapper.afterForward(index);
        return tape.hook(out, () -> wrapper.beforeBackward(index));
    }

    /**
     * A layer of which only the input is kept (torch.utils.checkpoint without reentry): the first
     * node of its backward that wants something saved makes it run again, up to the last thing
     * saved.
     */
    private Value later(Value x, int index) {
        Layer layer = weights.layers.get(index);
        wrapper.beforeForward(index);
        tape.recording(false);
        tape.countSaves(Integer.MAX_VALUE);
        Value out = layer(x, layer);
        int saves = tape.saves();
        tape.recording(true);
        wrapper.afterForward(index);
        if (x.storage.part == Part.TEMPORARY) {
            x.storage.become(Part.ACTIVATIONS);
        }
        Node node =
                tape.node(
                        (n, g) -> {
                            wrapper.beforeBackward(index);
                            Storage back = again(x, layer, saves, g);
                            wrapper.afterBackward(index);
                            return new Storage[] {back};
                        },
                        List.of(x.storage),
                        x);
        return new Value(out.storage, out.rows, out.columns, out.width, node, 0);
    }

    private Storage again(Value x, Layer layer, int saves, Storage[] gradients) {
        Storage[] found = new Storage[1];
        Node leaf = tape.leaf(-1, g -> found[0] = g);
        Value in = new Value(x.storage, x.rows, x.columns, x.width, leaf, 0);
        ops.nested(
                () -> {
                    tape.countSaves(saves);
                    Value out = layer(in, layer);
                    tape.countSaves(Integer.MAX_VALUE);
                    out.drop();
                    return out;
                },
                out -> {
                    Storage gradient = gradients[0];
                    gradients[0] = null;
                    tape.backward(out, gradient);
                });
        return found[0];
    }

    private Value layer(Value x, Layer l) {
        if (block.parallel()) {
            return parallelLayer(x, l);
        }
        tape.at("norm before attention");
        Value n = whole(norm(x, l.norm1, l.norm1Bias));
        Value a = part(attention.run(n, l));
        n.drop();
        if (l.afterAttention != null) {
            a = norm(a.last(), l.afterAttention, null);
        }
        tape.at("residual");
        a = dropped(a, block.residualDropout());
        Value y = ops.add(x, a.last());
        tape.at("norm before feed-forward");
        Value m = whole(norm(y, l.norm2, l.norm2Bias));
        Value f = part(feedForward.run(m, l));
        m.drop();
        if (l.afterFeedForward != null) {
            f = norm(f.last(), l.afterFeedForward, null);
        }
        tape.at("residual");
        f = dropped(f, block.residualDropout());
        return ops.add(y.last(), f.last());
    }

    private Value parallelLayer(Value x, Layer l) {
        tape.at("norm before attention");
        Value n = whole(norm(x, l.norm1, l.norm1Bias));
        Value a = part(attention.run(n, l));
        a = dropped(a, block.residualDropout());
        if (!block.sharedNorm()) {
            n.drop();
            tape.at("norm before feed-forward");
            n = whole(norm(x, l.norm2, l.norm2Bias));
        }
        Value f = part(feedForward.run(n, l));
        n.drop();
        tape.at("residual");
        f = dropped(f, block.residualDropout());
        return ops.add(ops.add(f.last(), a.last()).last(), x);
    }

    /** With sequence parallelism: the tokens of all tensor-parallel ranks. */
    private Value whole(Value x) {
        boolean divided = share.products() > share.tokens();
        return divided
                ? ops.copy(x.last(), share.products(), x.columns, "gathered over the ranks")
                : x;
    }

    /** With sequence parallelism: back to the tokens of one rank. */
    private Value part(Value x) {
        boolean divided = share.products() > share.tokens();
        return divided
                ? ops.copy(x.last(), share.tokens(), x.columns, "divided over the ranks")
                : x;
    }

    /** The caller's variable is there until the norm has returned. */
    private Value norm(Value x, Parameter weight, Parameter bias) {
        boolean ends = x.dying();
        x.stays();
        Value y =
                switch (block.norm()) {
                    case LAYER -> norms.layerNorm(x, weight, bias);
                    case RMS -> norms.rmsNorm(x, weight, false);
                    case RMS_PLUS_ONE -> norms.rmsNorm(x, weight, true);
                };
        if (ends) {
            x.drop();
        }
        return y;
    }

    private Value loss(Value last) {
        tape.at("final norm");
        Value x = whole(norm(last.last(), weights.finalNorm, weights.finalNormBias));
        tape.at("output layer and loss");
        tape.fresh(Part.LOGITS);
        Value logits = ops.linear(x, weights.head, weights.headBias, share.vocab());
        if (block.logitSoftcap()) {
            Value scaled = ops.scale(logits.last());
            logits = ops.scale(ops.fromResult(scaled.last(), "tanh").last());
        }
        Value wide = ops.to(logits, FP32);
        Value probabilities = ops.fromResult(wide, "log-softmax");
        if (wide != logits) {
            wide.drop();
        }
        Value loss = ops.likelihood(probabilities.last());
        logits.drop();
        x.drop();
        loss = tape.hook(loss, () -> wrapper.beforeBackward(root()));
        return loss;
    }
}
