package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.Lscpu;
import io.gpuflow.tool.Tools;
import java.util.List;

/** {@code lscpu}: threads a core and NUMA nodes. */
final class CpuProbe implements Probe {
    @Override
    public String name() {
        return "lscpu";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of();
    }

    @Override
    public List<Observed> ask(Tools tools) {
        Answer<Lscpu.Reading> answer = Answer.of(tools, new Lscpu(), "lscpu");
        return answer.ok()
                ? answer.facts(brings())
                : List.of(Answer.unknown("Host.threadsPerCore", answer.why(), answer.source()));
    }
}
