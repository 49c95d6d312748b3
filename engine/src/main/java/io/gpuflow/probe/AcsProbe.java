package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieAcs;
import io.gpuflow.parse.LspciAcs;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code lspci -vvv}: whether bridges redirect traffic between GPUs through the root complex. */
final class AcsProbe implements Probe {
    /** At this verbosity lspci reads the vital product data of each device, which is slow. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Override
    public String name() {
        return "lspci-acs";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(PcieAcs.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        ToolCall call = ToolCall.of(LIMIT, "lspci", "-D", "-vvv");
        Answer<LspciAcs.Reading> answer = Answer.of(tools, new LspciAcs(), call);
        if (!answer.ok()) {
            return answer.facts(brings());
        }
        LspciAcs.Reading read = answer.report();
        if (read.capabilitiesHidden() && read.bridges().isEmpty()) {
            String why = "lspci shows PCI capabilities to root only; sudo lspci -vvv tells ACS";
            return Answer.unknown(brings(), why, answer.source());
        }
        List<Observed> facts = new ArrayList<>(answer.facts(brings()));
        facts.add(Answer.known(new Known("PcieAcs"), answer.source()));
        return facts;
    }
}
