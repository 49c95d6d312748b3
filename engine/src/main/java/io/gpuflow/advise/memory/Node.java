package io.gpuflow.advise.memory;

import java.util.List;

/**
 * One step of the backward pass: what the forward operation saved for it, and where its gradients
 * go.
 */
final class Node {
    /** Before all others, as torch gives it to the nodes that store a parameter's gradient. */
    static final long FIRST = Long.MAX_VALUE;

    /** Gradients of the inputs from those of the outputs; null where none is asked for. */
    interface Rule {
        Storage[] apply(Node node, Storage[] gradients);
    }

    final long sequence;
    final Value[] inputs;
    final Storage[] buffers;
    private final Rule rule;
    private List<Storage> saved;
    int waiting;

    /** Where in the program it was recorded, and what its results are for. */
    String place = "";

    Part fresh = Part.TEMPORARY;

    /** Its gradients may be views of a larger tensor. */
    boolean views;

    Node(long sequence, Rule rule, List<Storage> saved, int outputs, Value... inputs) {
        this.sequence = sequence;
        this.rule = rule;
        this.saved = saved;
        this.inputs = inputs;
        this.buffers = new Storage[outputs];
        for (Storage storage : saved) {
            storage.hold();
            if (storage.part == Part.TEMPORARY) {
                storage.become(Part.ACTIVATIONS);
            }
        }
    }

    boolean needs(int input) {
        return inputs[input].node != null;
    }

    Storage[] run() {
        return rule.apply(this, buffers);
    }

    void forget() {
        for (Storage storage : saved) {
            storage.release();
        }
        saved = List.of();
    }
}
