package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.NvLinkErrors;
import io.gpuflow.facts.NvLinkState;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.NvLinkParser;
import io.gpuflow.parse.Report;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;

/** {@code nvidia-smi nvlink}: state and rate of each NVLink, and its error counters. */
final class NvidiaSmiNvLinks implements Probe {
    private final NvidiaSmi nvidiaSmi;

    NvidiaSmiNvLinks(NvidiaSmi nvidiaSmi) {
        this.nvidiaSmi = nvidiaSmi;
    }

    @Override
    public String name() {
        return "nvidia-smi-nvlinks";
    }

    @Override
    public String vendor() {
        return "nvidia";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(NvLinkState.class, NvLinkErrors.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<Observed> facts = new ArrayList<>();
        facts.addAll(ask(tools, "-s", NvLinkState.class));
        facts.addAll(ask(tools, "-e", NvLinkErrors.class));
        return facts;
    }

    private List<Observed> ask(Tools tools, String option, Class<? extends Fact> brings) {
        Answer<? extends Report> answer =
                nvidiaSmi.ask(tools, new NoLinks(new NvLinkParser()), "nvlink", option);
        if (answer.ok() && answer.report() instanceof NoLinks.None) {
            return List.of(Answer.known(new Known(brings.getSimpleName()), answer.source()));
        }
        return answer.facts(List.of(brings));
    }
}
