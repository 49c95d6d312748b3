package io.gpuflow.advise.memory;

import io.gpuflow.advise.memory.Tape.Saved;
import io.gpuflow.advise.memory.Tape.Shape;
import java.util.ArrayList;
import java.util.List;

/** Attention in one kernel: torch's scaled_dot_product_attention, or the flash-attn package. */
final class AttentionKernel {
    private static final int FP32 = 4;

    private final Ops ops;
    private final Tape tape;

    AttentionKernel(Ops ops) {
        this.ops = ops;
        this.tape = ops.tape();
    }

    /**
     * Attention in one kernel: the scores never exist; a number for each head and token is kept.
     *
     * @param mask null when the causal mask is left to the kernel; else it is turned into numbers
     */
    Value run(Value q, Value k, Value v, long heads, long valueColumns, Storage mask) {
        Value a = ops.lower(q);
        Value b = ops.lower(k);
        Value c = ops.lower(v);
        Storage sums = tape.temporary("log-sum-exp", heads, a.rows, FP32);
        List<Storage> saved = new ArrayList<>(List.of(a.storage, b.storage, c.storage, sums));
        Storage bias = null;
        if (mask != null) {
            bias = tape.temporary("mask as numbers", mask.rows, mask.columns, a.width);
            saved.add(bias);
        }
        Value y =
                tape.op(
                        "result of attention",
                        new Shape(a.rows, valueColumns, a.width),
                        (n, g) -> flashBackward(a, b, c, heads),
                        new Saved(saved, true),
                        a,
                        b,
                        c);
        sums.release();
        if (bias != null) {
            bias.release();
        }
        return y;
    }

    private Storage[] flashBackward(Value q, Value k, Value v, long heads) {
        Storage dq = ops.gradient(q.rows, q.columns, q.width);
        Storage dk = ops.gradient(k.rows, k.columns, k.width);
        Storage dv = ops.gradient(v.rows, v.columns, v.width);
        // dq is summed in fp32; the sums of dO · O are a number for each head and token.
        Storage sum = ops.gradient(q.rows, q.columns, FP32);
        Storage dots = ops.gradient(heads, q.rows, FP32);
        sum.release();
        dots.release();
        return new Storage[] {dq, dk, dv};
    }
}
