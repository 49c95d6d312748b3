package io.gpuflow.advise.memory;

import io.gpuflow.advise.memory.Tape.Saved;
import io.gpuflow.advise.memory.Tape.Shape;

/** The normalisations of transformers' models. */
final class Norms {
    private static final int FP32 = 4;

    private final Ops ops;
    private final Tape tape;

    Norms(Ops ops) {
        this.ops = ops;
        this.tape = ops.tape();
    }

    /** torch.nn.LayerNorm: one kernel; mean and deviation of each row are kept. */
    Value layerNorm(Value input, Parameter weight, Parameter bias) {
        Value x = ops.upper(input);
        Value w = ops.weight(weight);
        Value b = bias == null ? null : ops.weight(bias);
        Storage rows = tape.temporary("mean and deviation", x.rows, 2, FP32);
        Value[] inputs = b == null ? new Value[] {x, w} : new Value[] {x, w, b};
        Value y =
                tape.op(
                        "normalised",
                        Shape.of(x),
                        (n, g) ->
                                new Storage[] {
                                    ops.gradient(x.rows, x.columns, x.width),
                                    ops.gradient(1, w.columns, w.width),
                                    b == null ? null : ops.gradient(1, w.columns, w.width)
                                },
                        Saved.of(x.storage, rows),
                        inputs);
        rows.release();
        return y;
    }

    /**
     * RMSNorm as transformers writes it out: in fp32, with a copy for every step.
     *
     * @param plusOne multiplies by one plus the weight, in fp32, before going back
     */
    Value rmsNorm(Value input, Parameter weight, boolean plusOne) {
        boolean own = input.width != FP32;
        Value x = ops.to(input, FP32);
        Value mean = ops.mean(ops.pow(x).last());
        Value root = ops.fromResult(ops.shift(mean.last()).last(), "rsqrt");
        if (own) {
            x.last();
        }
        Value n = ops.mul(x, root.last(), "normalised");
        if (!plusOne) {
            Value back = ops.to(n, input.width);
            if (back != n) {
                n.drop();
            }
            return ops.mul(ops.weight(weight), back.last(), "normalised, times weight");
        }
        Value one = ops.shift(ops.toLast(ops.weight(weight), FP32));
        Value scaled = ops.mul(n.last(), one.last(), "normalised, times weight");
        Value back = ops.to(scaled, input.width);
        if (back != scaled) {
            scaled.drop();
        }
        return back;
    }
}
