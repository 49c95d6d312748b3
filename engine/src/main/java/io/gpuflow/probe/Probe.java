package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.tool.Tools;
import java.util.List;

/** Asks a machine one kind of question. Reads only; changes nothing. */
public interface Probe {
    /** Short name for messages: nvidia-smi-topo, pci-links … */
    String name();

    /**
     * The fact types that are unknown when the source can't be asked. It may bring others as well.
     */
    List<Class<? extends Fact>> brings();

    /** The vendor whose GPUs the source is about (nvidia or amd), or null. */
    default String vendor() {
        return null;
    }

    /**
     * The facts, or an Unknown with the reason for each fact type that could not be told. Never
     * throws.
     */
    List<Observed> ask(Tools tools);
}
