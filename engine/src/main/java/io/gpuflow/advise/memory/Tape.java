package io.gpuflow.advise.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Records operations and runs them backwards, as torch.autograd does: what is saved stays until its
 * node has run, the node recorded last runs first, gradients that meet are added into the one that
 * came first.
 */
final class Tape {
    private final Memory memory;
    private long sequence = 1;
    private String place = "";

    /** False while a layer's activations are not kept, to be computed again later. */
    private boolean recording = true;

    /** Operations that save something, since the last mark. */
    private int saves;

    /** Once so many have saved, the rest of a recomputation is not carried out. */
    private int savesWanted = Integer.MAX_VALUE;

    private Part fresh = Part.TEMPORARY;

    Tape(Memory memory) {
        this.memory = memory;
    }

    Memory memory() {
        return memory;
    }

    /** Where the program is, for the lines of an explanation. */
    void at(String name) {
        place = name;
    }

    /** What new tensors are, until they are saved. */
    void fresh(Part part) {
        fresh = part;
    }

    boolean recording() {
        return recording;
    }

    void recording(boolean on) {
        recording = on;
    }

    int saves() {
        return saves;
    }

    /** Starts to count the operations that save; stops computing after so many. */
    void countSaves(int wanted) {
        saves = 0;
        savesWanted = wanted;
    }

    Storage temporary(String label, long rows, long columns, int width) {
        return memory.allocate(place + ": " + label, fresh, rows, columns, width);
    }

    /** One operation with one result. */
    Value op(String label, Shape out, Node.Rule rule, Saved saved, Value... inputs) {
        boolean done = saves >= savesWanted;
        boolean saving = saved.any();
        if (saving) {
            saves++;
        }
        boolean ghost = done || saving && !saved.output() && saves >= savesWanted;
        Storage storage =
                memory.allocate(
                        place + ": " + label,
                        fresh,
                        ghost ? 0 : out.rows(),
                        out.columns(),
                        out.width());
        Node node = null;
        if (recording && Arrays.stream(inputs).anyMatch(v -> v.node != null)) {
            List<Storage> kept = new ArrayList<>(saved.inputs());
            if (saved.output()) {
                kept.add(storage);
            }
            node = placed(new Node(sequence++, rule, kept, 1, inputs));
        }
        release(inputs);
        return new Value(storage, out.rows(), out.columns(), out.width(), node, 0);
    }

    /** The same storage seen differently; the gradient passes unchanged. */
    Value view(Value x, long rows, long columns) {
        Node node = null;
        if (recording && x.node != null) {
            node = placed(new Node(sequence++, (n, g) -> pass(g[0]), List.of(), 1, x));
        }
        x.storage.hold();
        release(x);
        return new Value(x.storage, rows, columns, x.width, node, 0);
    }

    /** Equal parts of a tensor's columns; their gradients are joined in one node. */
    Value[] split(Value x, long... columns) {
        Node node = null;
        if (recording && x.node != null) {
            long rows = x.rows;
            long all = x.columns;
            int width = x.width;
            node =
                    placed(
                            new Node(
                                    sequence++,
                                    (n, g) ->
                                            new Storage[] {temporary("gradient", rows, all, width)},
                                    List.of(),
                                    columns.length,
                                    x));
        }
        Value[] parts = new Value[columns.length];
        for (int i = 0; i < parts.length; i++) {
            x.storage.hold();
            parts[i] = new Value(x.storage, x.rows, columns[i], x.width, node, i);
        }
        release(x);
        return parts;
    }

    /** Does something when the gradient of this value is there. */
    Value hook(Value x, Runnable then) {
        if (!recording || x.node == null) {
            return x;
        }
        Node node =
                new Node(
                        sequence++,
                        (n, g) -> {
                            then.run();
                            return pass(g[0]);
                        },
                        List.of(),
                        1,
                        x);
        return new Value(x.storage, x.rows, x.columns, x.width, node, 0);
    }

    /** A node for a result that somebody else allocated. */
    Node node(Node.Rule rule, List<Storage> saved, Value... inputs) {
        return placed(new Node(sequence++, rule, saved, 1, inputs));
    }

    private Node placed(Node node) {
        node.place = place;
        node.fresh = fresh == Part.LOGITS ? Part.LOGITS : Part.TEMPORARY;
        return node;
    }

    private static Storage[] pass(Storage gradient) {
        return new Storage[] {gradient == null ? null : gradient.hold()};
    }

    private static void release(Value... inputs) {
        for (Value input : inputs) {
            if (input.dying()) {
                input.drop();
            }
        }
    }

    /** Runs everything that led to this value backwards. */
    void backward(Value root, Storage gradient) {
        count(root.node);
        PriorityQueue<Node> ready =
                new PriorityQueue<>(Comparator.<Node>comparingLong(n -> n.sequence).reversed());
        root.node.buffers[root.output] = gradient;
        ready.add(root.node);
        while (!ready.isEmpty()) {
            run(ready.poll(), ready);
        }
    }

    private static void count(Node root) {
        Set<Node> seen = new HashSet<>(Set.of(root));
        Deque<Node> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty()) {
            for (Value input : open.poll().inputs) {
                if (input.node != null) {
                    input.node.waiting++;
                    if (seen.add(input.node)) {
                        open.add(input.node);
                    }
                }
            }
        }
    }

    private void run(Node node, PriorityQueue<Node> ready) {
        place = node.place;
        fresh = node.fresh;
        Storage[] gradients = node.run();
        for (int i = 0; i < node.inputs.length; i++) {
            if (gradients[i] != null) {
                gradients[i] = fitted(gradients[i], node.inputs[i], node.views);
            }
        }
        for (int i = 0; i < node.buffers.length; i++) {
            if (node.buffers[i] != null) {
                node.buffers[i].release();
                node.buffers[i] = null;
            }
        }
        node.forget();
        for (int i = 0; i < node.inputs.length; i++) {
            Value input = node.inputs[i];
            if (input.node == null) {
                if (gradients[i] != null) {
                    gradients[i].release();
                }
            } else {
                deliver(gradients[i], input);
                input.node.waiting--;
                if (input.node.waiting == 0) {
                    ready.add(input.node);
                }
            }
        }
    }

    /** A gradient in the shape and the format of what it belongs to. */
    private Storage fitted(Storage gradient, Value input, boolean views) {
        Storage result = gradient;
        long elements = gradient.rows * gradient.columns;
        if (elements > input.elements() && !views) {
            result = temporary("gradient", input.rows, input.columns, gradient.width);
            gradient.release();
        }
        if (result.width != input.width) {
            Storage cast = temporary("gradient", input.rows, input.columns, input.width);
            result.release();
            result = cast;
        }
        return result;
    }

    private void deliver(Storage gradient, Value input) {
        if (gradient == null) {
            return;
        }
        Storage[] buffers = input.node.buffers;
        Storage old = buffers[input.output];
        if (old == null) {
            buffers[input.output] = gradient;
        } else if (old.shared()) {
            buffers[input.output] = temporary("gradient", input.rows, input.columns, input.width);
            old.release();
            gradient.release();
        } else {
            gradient.release();
        }
    }

    /** The node of a leaf: takes the gradient that arrives. */
    Node leaf(long order, java.util.function.Consumer<Storage> taker) {
        return new Node(
                order,
                (n, g) -> {
                    Storage gradient = g[0];
                    g[0] = null;
                    if (gradient != null) {
                        taker.accept(gradient);
                    }
                    return new Storage[0];
                },
                List.of(),
                1);
    }

    /** Rows, columns and bytes an element of a result. */
    record Shape(long rows, long columns, int width) {
        static Shape of(Value v) {
            return new Shape(v.rows, v.columns, v.width);
        }

        Shape width(int bytes) {
            return new Shape(rows, columns, bytes);
        }
    }

    /** What an operation keeps for its backward. */
    record Saved(List<Storage> inputs, boolean output) {
        static final Saved NOTHING = new Saved(List.of(), false);
        static final Saved RESULT = new Saved(List.of(), true);

        static Saved of(Storage... inputs) {
            return new Saved(List.of(inputs), false);
        }

        static Saved withResult(Storage... inputs) {
            return new Saved(List.of(inputs), true);
        }

        boolean any() {
            return output || !inputs.isEmpty();
        }
    }
}
