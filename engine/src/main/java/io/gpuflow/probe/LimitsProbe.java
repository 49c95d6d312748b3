package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.ProcLimits;
import io.gpuflow.tool.Tools;
import java.util.List;

/** /proc/self/limits: locked memory and open files, which started commands inherit. */
final class LimitsProbe implements Probe {
    private static final String FILE = "/proc/self/limits";

    @Override
    public String name() {
        return "limits";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of();
    }

    @Override
    public List<Observed> ask(Tools tools) {
        Answer<ProcLimits.Reading> answer = Answer.ofFile(tools, new ProcLimits(), FILE);
        return answer.ok()
                ? answer.facts(brings())
                : List.of(
                        Answer.unknown("Limit(memlock)", answer.why(), FILE),
                        Answer.unknown("Limit(nofile)", answer.why(), FILE));
    }
}
