package io.gpuflow.probe;

import io.gpuflow.facts.Observed;
import io.gpuflow.tool.Tools;
import java.util.List;

/** A question that can only be asked, or only be answered, when the GPUs are known. */
interface FollowUp {
    String name();

    /**
     * @param known what the probes brought
     * @return further facts; never null
     */
    List<Observed> ask(Tools tools, List<Observed> known);
}
