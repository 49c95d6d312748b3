package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.KernelEvent;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.KernelLog;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernel log: from the kernel itself, else from the journal, else from the file that syslog
 * writes. A log that may not be read is unknown, never clean.
 */
final class KernelLogProbe implements Probe {
    private static final List<String[]> WAYS =
            List.of(
                    new String[] {"dmesg", "-T"},
                    new String[] {"dmesg"},
                    new String[] {
                        "journalctl",
                        "-k",
                        "-b",
                        "-q",
                        "-o",
                        "short-iso",
                        "-n",
                        "20000",
                        "--no-pager"
                    },
                    new String[] {"tail", "-n", "20000", "/var/log/kern.log"});

    @Override
    public String name() {
        return "kernel-log";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(KernelEvent.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<String> reasons = new ArrayList<>();
        for (String[] way : WAYS) {
            Answer<KernelLog.Reading> answer = Answer.of(tools, new KernelLog(), way);
            if (answer.ok() && answer.report().sandbox() != null) {
                String why =
                        answer.source()
                                + ": the log is a sandbox's ("
                                + answer.report().sandbox()
                                + "), not the kernel's";
                return Answer.unknown(brings(), why, answer.source());
            }
            if (answer.ok()) {
                List<Observed> facts = new ArrayList<>(answer.facts(brings()));
                facts.add(Answer.known(new Known("KernelEvent"), answer.source()));
                return facts;
            }
            reasons.add(answer.why());
        }
        return Answer.unknown(brings(), reasons.get(0), String.join(" ", WAYS.get(0)));
    }
}
