package io.gpuflow.advise;

import io.gpuflow.advise.ModelShape.Activation;
import io.gpuflow.advise.ModelShape.Block;
import io.gpuflow.advise.ModelShape.Experts;
import io.gpuflow.advise.ModelShape.Norm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes a model of its sizes alone, or of nothing but the number of its parameters. */
public final class PlainModel {
    private static final int VOCABULARY = 32000;
    private static final int HEAD = 128;

    private PlainModel() {}

    static ModelShape read(String name, Map<String, Object> tree) throws BadModel {
        Fields f = new Fields(tree);
        f.onlyThese(
                "hidden",
                "layers",
                "heads",
                "kv_heads",
                "head_dim",
                "ffn",
                "vocab",
                "gated",
                "tied",
                "norm",
                "activation",
                "experts");
        int hidden = f.need("hidden");
        int layers = f.need("layers");
        int heads = f.need("heads");
        int vocab = f.need("vocab");
        int ffn = f.need("ffn");
        int kvHeads = f.assume(heads, "one for every query head", "kv_heads");
        if (!f.has("head_dim") && hidden % heads != 0) {
            f.problem("hidden " + hidden + " is not a multiple of heads " + heads);
        }
        if (heads % kvHeads != 0) {
            f.problem("heads " + heads + " is not a multiple of kv_heads " + kvHeads);
        }
        if (layers > 1000) {
            f.problem("layers " + layers + " cannot be; expected at most 1000");
        }
        int headDim = f.optionalSize(Math.max(1, hidden / heads), "head_dim");
        boolean gated = flag(f, true, "gated");
        boolean tied = flag(f, false, "tied");
        Norm norm = norm(f);
        Block block = block(norm, activation(f, gated), headDim);
        Experts experts = f.has("experts") ? experts(f, ffn) : null;
        ModelShape model =
                new ModelShape(
                        "plain",
                        hidden,
                        layers,
                        heads,
                        kvHeads,
                        headDim,
                        ffn,
                        vocab,
                        gated,
                        tied,
                        block,
                        experts,
                        null,
                        f.assumed());
        f.plausible(model);
        f.check(name);
        return model;
    }

    private static boolean flag(Fields f, boolean otherwise, String name) {
        if (!f.has(name)) {
            f.assumed(name + ": " + otherwise);
        }
        return f.flag(otherwise, name);
    }

    private static Norm norm(Fields f) {
        if (!f.has("norm")) {
            f.assumed("norm: rms");
        }
        String norm = f.text("rms", "norm");
        if (!norm.equals("rms") && !norm.equals("layer")) {
            f.problem("norm: expected rms or layer");
        }
        return norm.equals("layer") ? Norm.LAYER : Norm.RMS;
    }

    private static Activation activation(Fields f, boolean gated) {
        String name = f.text(gated ? "silu" : "gelu", "activation");
        Activation found = Family.activationOf(name);
        if (found == null) {
            f.problem("activation: expected silu, gelu, gelu_new or relu");
        }
        return found == null ? Activation.SILU : found;
    }

    private static Experts experts(Fields f, int ffn) {
        Fields e = f.inner("experts");
        e.onlyThese("count", "top_k", "ffn", "shared", "dense_layers");
        int count = e.need("count");
        int topK = e.need("top_k");
        if (topK > count) {
            e.problem("top_k " + topK + " is more than the " + count + " experts");
        }
        Experts experts =
                new Experts(
                        count,
                        topK,
                        e.optionalSize(ffn, "ffn"),
                        e.optional(0, "shared"),
                        false,
                        e.optional(0, "dense_layers"));
        f.take("experts.", e);
        return experts;
    }

    private static Block block(Norm norm, Activation activation, int headDim) {
        return new Block(
                norm,
                activation,
                false,
                false,
                false,
                false,
                norm == Norm.LAYER,
                false,
                false,
                false,
                false,
                false,
                false,
                headDim,
                false,
                0,
                null,
                0,
                0,
                0,
                0,
                false,
                false);
    }

    /**
     * A decoder of so many parameters as they are usually built: heads of 128, as many layers as
     * heads, a gated feed-forward, 32,000 tokens. States are then right within half a percent; the
     * rest is a guess, and said to be one.
     */
    public static ModelShape ofParameters(double parameters) throws BadModel {
        if (!(parameters >= 1e8 && parameters <= 2e13)) {
            throw new BadModel(
                    List.of("--params: expected a number from 1e8 to 2e13, such as 7e9"));
        }
        // 12 · layers · hidden² parameters, with layers = heads = hidden / 128.
        double even = Math.cbrt(parameters / (12.0 * HEAD * HEAD));
        int heads = (int) Math.max(2, even > 8 ? 4 * Math.round(even / 4) : Math.round(even));
        int layers = heads;
        long h = (long) heads * HEAD;
        double rest = parameters - 2.0 * VOCABULARY * h;
        boolean tied = rest < 0.5 * parameters;
        rest += tied ? (double) VOCABULARY * h : 0;
        double each = rest / layers - 4.0 * h * h - 2 * h;
        int ffn = (int) Math.max(HEAD, 16 * Math.round(each / (3 * h) / 16));
        List<String> assumed = new ArrayList<>();
        assumed.add(
                "everything but the number of parameters: hidden "
                        + h
                        + ", "
                        + layers
                        + " layers, "
                        + heads
                        + " heads, ffn "
                        + ffn
                        + ", vocabulary "
                        + VOCABULARY
                        + ", gated feed-forward, RMSNorm"
                        + (tied ? ", tied embeddings" : ""));
        return new ModelShape(
                "parameters",
                (int) h,
                layers,
                heads,
                heads,
                HEAD,
                ffn,
                VOCABULARY,
                true,
                tied,
                block(Norm.RMS, Activation.SILU, HEAD),
                null,
                null,
                assumed);
    }
}
