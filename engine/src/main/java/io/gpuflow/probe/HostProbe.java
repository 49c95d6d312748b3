package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.Observed;
import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.Tools;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** /proc: name, kernel, command line, memory and the CPUs this process may use. */
final class HostProbe implements Probe {
    // MemTotal:       24567890 kB
    private static final Pattern MEMORY = Pattern.compile("(?m)^MemTotal:\\s+(\\d{1,15}) kB");
    // Cpus_allowed_list:	0-31,64-95
    private static final Pattern ALLOWED =
            Pattern.compile("(?m)^Cpus_allowed_list:\\s+([\\d,-]{1,4000})$");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

    @Override
    public String name() {
        return "proc";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(Host.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        FileResult memory = tools.read("/proc/meminfo");
        Host host =
                new Host(
                        OneLine.of(tools, "/proc/sys/kernel/hostname"),
                        OneLine.of(tools, "/proc/sys/kernel/osrelease"),
                        OneLine.of(tools, "/proc/cmdline"),
                        cpus(tools.read("/proc/self/status")),
                        null,
                        null,
                        memoryBytes(memory));
        boolean nothing =
                host.name() == null
                        && host.kernel() == null
                        && host.cpus() == null
                        && host.memoryBytes() == null;
        return nothing
                ? Answer.unknown(brings(), Failure.of(memory), "/proc")
                : List.of(Answer.known(host, "/proc"));
    }

    private static Long memoryBytes(FileResult file) {
        Matcher m = MEMORY.matcher(file.ok() ? file.text() : "");
        return m.find() ? Long.parseLong(m.group(1)) << 10 : null;
    }

    /** How many CPUs a list such as 0-31,64-95 names; null when it is not there. */
    private static Integer cpus(FileResult file) {
        Matcher m = ALLOWED.matcher(file.ok() ? file.text() : "");
        if (!m.find()) {
            return null;
        }
        int count = 0;
        for (Matcher r = RANGE.matcher(m.group(1)); r.find(); ) {
            int first = Integer.parseInt(r.group(1));
            int last = r.group(2) == null ? first : Integer.parseInt(r.group(2));
            count += Math.max(0, last - first + 1);
        }
        return count;
    }
}
