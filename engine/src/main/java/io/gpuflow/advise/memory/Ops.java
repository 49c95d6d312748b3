package io.gpuflow.advise.memory;

import io.gpuflow.advise.memory.Tape.Saved;
import io.gpuflow.advise.memory.Tape.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * torch's operations: what each allocates, what it saves, what its backward allocates, by
 * tools/autograd/derivatives.yaml and autograd's type promotion. Widths are bytes an element: 4 is
 * fp32, 2 a 16-bit format.
 */
final class Ops {
    private static final int FP32 = 4;

    private final Tape tape;
    private final boolean autocast;
    private final int computeWidth;
    private final Parameter.Taker taker;
    private Map<Parameter, Value> castWeights = new HashMap<>();
    private final Map<Parameter, Value> leaves = new HashMap<>();

    Ops(Tape tape, boolean autocast, int computeWidth, Parameter.Taker taker) {
        this.tape = tape;
        this.autocast = autocast;
        this.computeWidth = computeWidth;
        this.taker = taker;
    }

    Tape tape() {
        return tape;
    }

    /** The weight as the forward pass sees it; its gradient goes where weights' gradients go. */
    Value weight(Parameter p) {
        return leaves.computeIfAbsent(
                p,
                key -> {
                    Node leaf = tape.leaf(Node.FIRST, g -> store(p, g));
                    return new Value(p.storage, p.rows, p.columns, p.width, leaf, 0);
                });
    }

    /** A new pass: autocast's copies and the leaves of the last one are forgotten. */
    void endForward() {
        castWeights.values().forEach(Value::drop);
        castWeights.clear();
        leaves.clear();
    }

    private void store(Parameter p, Storage gradient) {
        if (p.gradient == null) {
            if (gradient.shared()) {
                p.gradient = tape.temporary("gradient", p.rows, p.columns, p.width);
                gradient.release();
            } else {
                p.gradient = gradient;
            }
            p.gradient.become(Part.GRADIENTS);
        } else {
            gradient.release();
        }
        taker.take(p);
    }

    // Formats

    /** x.to(width): nothing happens when it has that format. */
    Value to(Value x, int width) {
        if (x.width == width) {
            return x;
        }
        return tape.op(
                width == FP32 ? "fp32 copy" : "16-bit copy",
                Shape.of(x).width(width),
                (n, g) -> new Storage[] {gradient(x.rows, x.columns, x.width)},
                Saved.NOTHING,
                x);
    }

    /** What autocast does with the input of a matrix product. */
    Value lower(Value x) {
        return autocast ? toLast(x, computeWidth) : x;
    }

    /** What autocast does with the input of operations that it keeps in fp32. */
    Value upper(Value x) {
        return autocast ? toLast(x, FP32) : x;
    }

    Value toLast(Value x, int width) {
        Value made = to(x, width);
        // A copy is the operation's own: it ends with it unless saved.
        return made == x ? x : made.last();
    }

    /** A weight as a matrix product takes it: autocast keeps the copy until the pass ends. */
    Value lowerWeight(Parameter p) {
        Value w = weight(p);
        if (!autocast || p.width == computeWidth) {
            return w;
        }
        Value cast = castWeights.get(p);
        if (cast == null) {
            boolean recording = tape.recording();
            tape.recording(true);
            cast = castWeight(p, w);
            tape.recording(recording);
            castWeights.put(p, cast);
        }
        return cast;
    }

    private Value castWeight(Parameter p, Value w) {
        Storage storage =
                tape.memory()
                        .allocate(
                                "16-bit copy of " + p.name,
                                Part.CAST_WEIGHTS,
                                p.rows,
                                p.columns,
                                computeWidth);
        Node node =
                tape.node(
                        (n, g) -> new Storage[] {gradient(p.rows, p.columns, p.width)},
                        List.of(),
                        w);
        return new Value(storage, p.rows, p.columns, computeWidth, node, 0);
    }

    // Matrix products

    /** y = x · w; w has as many columns as y, whatever way it lies. */
    Value linear(Value x, Parameter w, Parameter bias, long columns) {
        Value a = lower(x);
        Value b = lowerWeight(w);
        Value c = bias == null ? null : lowerWeight(bias);
        Value[] inputs = c == null ? new Value[] {a, b} : new Value[] {a, b, c};
        long inner = a.columns;
        Value y =
                tape.op(
                        "result of " + w.name,
                        new Shape(a.rows, columns, a.width),
                        (n, g) ->
                                new Storage[] {
                                    n.needs(0) ? gradient(a.rows, inner, a.width) : null,
                                    gradient(w.rows, w.columns, b.width),
                                    c == null ? null : gradient(1, columns, b.width)
                                },
                        Saved.of(a.storage, b.storage),
                        inputs);
        return y;
    }

    /**
     * Batched product of tensors that both need gradients: every row of the result has {@code
     * columns} numbers.
     */
    Value batched(Value a, Value b, String label, long rows, long columns) {
        Value x = lower(a);
        Value y = lower(b);
        return tape.op(
                label,
                new Shape(rows, columns, x.width),
                (n, g) ->
                        new Storage[] {
                            gradient(x.rows, x.columns, x.width),
                            gradient(y.rows, y.columns, y.width)
                        },
                Saved.of(x.storage, y.storage),
                x,
                y);
    }

    // Element by element

    Value add(Value a, Value b) {
        int width = Math.max(a.width, b.width);
        Value big = a.elements() >= b.elements() ? a : b;
        return tape.op(
                "sum",
                Shape.of(big).width(width),
                (n, g) -> new Storage[] {pass(n, 0, g[0]), pass(n, 1, g[0])},
                Saved.NOTHING,
                a,
                b);
    }

    private static Storage pass(Node node, int input, Storage gradient) {
        return node.needs(input) ? gradient.hold() : null;
    }

    /** a · b, the smaller one repeated; what the other's gradient needs is saved. */
    Value mul(Value a, Value b, String label) {
        int width = Math.max(a.width, b.width);
        Value big = a.elements() >= b.elements() ? a : b;
        boolean first = a.node != null;
        boolean second = b.node != null;
        Saved saved =
                first && second
                        ? Saved.of(a.storage, b.storage)
                        : first ? Saved.of(b.storage) : Saved.of(a.storage);
        return tape.op(
                label,
                Shape.of(big).width(width),
                (n, g) ->
                        new Storage[] {
                            n.needs(0) ? gradient(big.rows, big.columns, width) : null,
                            n.needs(1) ? gradient(big.rows, big.columns, width) : null
                        },
                saved,
                a,
                b);
    }

    /** x times or divided by a number. */
    Value scale(Value x) {
        return tape.op(
                "scaled",
                Shape.of(x),
                (n, g) -> new Storage[] {gradient(x.rows, x.columns, x.width)},
                Saved.NOTHING,
                x);
    }

    /** x plus a number. */
    Value shift(Value x) {
        return tape.op("sum", Shape.of(x), (n, g) -> new Storage[] {g[0].hold()}, Saved.NOTHING, x);
    }

    /** An operation of one kernel each way that saves its input: silu, gelu, relu … */
    Value activation(Value x, String name) {
        return tape.op(
                "result of " + name,
                Shape.of(x),
                (n, g) -> new Storage[] {gradient(x.rows, x.columns, x.width)},
                Saved.of(x.storage),
                x);
    }

    /** An operation whose backward needs its result: tanh, softmax, log_softmax. */
    Value fromResult(Value x, String name) {
        return tape.op(
                "result of " + name,
                Shape.of(x),
                (n, g) -> new Storage[] {gradient(x.rows, x.columns, x.width)},
                Saved.RESULT,
                x);
    }

    /** softmax: its backward multiplies gradient and result first, in a tensor of its own. */
    Value softmax(Value x) {
        return tape.op(
                "result of softmax",
                Shape.of(x),
                (n, g) -> {
                    Storage product = gradient(x.rows, x.columns, x.width);
                    Storage result = gradient(x.rows, x.columns, x.width);
                    product.release();
                    return new Storage[] {result};
                },
                Saved.RESULT,
                x);
    }

    /** x to a power other than 2 gives, and takes in its backward, three tensors of its size. */
    Value pow(Value input) {
        Value x = upper(input);
        return tape.op(
                "power",
                Shape.of(x),
                (n, g) -> {
                    Storage power = gradient(x.rows, x.columns, x.width);
                    Storage scaled = gradient(x.rows, x.columns, x.width);
                    Storage result = gradient(x.rows, x.columns, x.width);
                    power.release();
                    scaled.release();
                    return new Storage[] {result};
                },
                Saved.of(x.storage),
                x);
    }

    /** Mean over the columns. */
    Value mean(Value x) {
        return tape.op(
                "mean",
                new Shape(x.rows, 1, x.width),
                (n, g) -> new Storage[] {gradient(x.rows, x.columns, x.width)},
                Saved.NOTHING,
                x);
    }

    Value negated(Value x) {
        return scale(x);
    }

    /** Two tensors side by side, in the wider format; the gradients are views, or copies. */
    Value beside(Value a, Value b) {
        int width = Math.max(a.width, b.width);
        Value y =
                tape.op(
                        "joined",
                        new Shape(a.rows, a.columns + b.columns, width),
                        (n, g) -> new Storage[] {part(n, 0, g[0]), part(n, 1, g[0])},
                        Saved.NOTHING,
                        a,
                        b);
        if (y.node != null) {
            y.node.views = true;
        }
        return y;
    }

    private Storage part(Node node, int input, Storage gradient) {
        Value x = node.inputs[input];
        return x.width == gradient.width || !node.needs(input)
                ? pass(node, input, gradient)
                : gradient(x.rows, x.columns, x.width);
    }

    /** Part of the columns: a view, whose gradient is a whole tensor of zeros with it inside. */
    Value slice(Value x, long columns) {
        Node node = null;
        if (tape.recording() && x.node != null) {
            node =
                    tape.node(
                            (n, g) -> new Storage[] {gradient(x.rows, x.columns, x.width)},
                            List.of(),
                            x);
        }
        x.storage.hold();
        if (x.dying()) {
            x.drop();
        }
        return new Value(x.storage, x.rows, columns, x.width, node, 0);
    }

    /** A copy in another order or with heads repeated. */
    Value copy(Value x, long rows, long columns, String label) {
        return tape.op(
                label,
                new Shape(rows, columns, x.width),
                (n, g) -> {
                    boolean same = rows * columns == x.elements();
                    return new Storage[] {
                        same ? g[0].hold() : gradient(x.rows, x.columns, x.width)
                    };
                },
                Saved.NOTHING,
                x);
    }

    /** Dropout: a mask of one byte an element; nothing at all when the probability is 0. */
    Value dropout(Value x, double probability) {
        if (probability <= 0) {
            return x;
        }
        Storage mask = tape.temporary("dropout mask", x.rows, x.columns, 1);
        Value y =
                tape.op(
                        "result of dropout",
                        Shape.of(x),
                        (n, g) -> new Storage[] {gradient(x.rows, x.columns, x.width)},
                        Saved.of(mask),
                        x);
        mask.release();
        return y;
    }

    // Ends

    Value embedding(Parameter table, long tokens, Storage ids) {
        Value w = weight(table);
        return tape.op(
                "result of " + table.name,
                new Shape(tokens, table.columns, table.width),
                (n, g) -> new Storage[] {gradient(table.rows, table.columns, table.width)},
                Saved.of(ids),
                w);
    }

    /** Negative log likelihood of log probabilities: the gradient is as large as they are. */
    Value likelihood(Value x) {
        return tape.op(
                "loss",
                new Shape(1, 1, FP32),
                (n, g) -> new Storage[] {gradient(x.rows, x.columns, x.width)},
                Saved.of(x.storage),
                x);
    }

    /** Experts' products, each with its own rows of the input; autocast does not touch it. */
    Value grouped(Value x, Parameter w, long columns) {
        Value weight = weight(w);
        Value a = toLast(x, w.width);
        return tape.op(
                "result of " + w.name,
                new Shape(a.rows, columns, a.width),
                (n, g) ->
                        new Storage[] {
                            gradient(a.rows, a.columns, a.width),
                            gradient(w.rows, w.columns, w.width)
                        },
                Saved.of(a.storage, weight.storage),
                a,
                weight);
    }

    /** A forward pass in the middle of a backward one: autocast keeps its own copies for it. */
    void nested(Supplier<Value> forward, Consumer<Value> backward) {
        Map<Parameter, Value> outer = castWeights;
        castWeights = new HashMap<>();
        Value result = forward.get();
        castWeights.values().forEach(Value::drop);
        castWeights = outer;
        backward.accept(result);
    }

    Storage gradient(long rows, long columns, int width) {
        return tape.temporary("gradient", rows, columns, width);
    }
}
