package io.gpuflow.probe;

import io.gpuflow.facts.Observed;
import io.gpuflow.tool.Tools;
import java.util.List;

/** Asks a machine one kind of question. Reads only; changes nothing. */
public interface Probe {
    /** Short name for messages and {@code probe --only}: nvidia-smi-topo, pci-links … */
    String name();

    /**
     * The facts, or an Unknown with the reason for each fact type that could not be told. Never
     * throws.
     */
    List<Observed> ask(Tools tools);
}
