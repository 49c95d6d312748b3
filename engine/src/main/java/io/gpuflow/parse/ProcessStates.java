package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.ProcessState;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what state the processes of a job are in: a line a process ({@code pid 4040 rank 1 state T
 * wchan do_signal_stop cmd python3}), or /proc/PID/stat and wchan below a line with their path.
 */
public final class ProcessStates implements Parser<ProcessStates.Reading> {
    private static final Pattern LINE =
            Pattern.compile(
                    "pid (\\d{1,9}) rank (\\d{1,9}|-) state ([A-Za-z]) wchan (\\S*) cmd (.*)");
    private static final Pattern TITLE = Pattern.compile("--- /proc/(\\d{1,9})/(\\w+)");

    /** The name may hold anything, so the last bracket counts. */
    private static final Pattern STAT =
            Pattern.compile("(\\d{1,9}) \\((.*)\\) ([A-Za-z]) -?\\d+ .*");

    private static final Pattern RANK = Pattern.compile("rank[-_]?(\\d{1,6})[^/]*$");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*(?:\\.\\w+)*");

    /** One process; line is where it is told. */
    public record Process(
            int pid, Integer rank, String state, String waitsIn, String command, int line) {}

    /** All processes, in the order of the text. */
    public record Reading(List<Process> processes, String error, List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            Matcher m = RANK.matcher(sourceName);
            Integer named = processes.size() == 1 && m.find() ? Integer.valueOf(m.group(1)) : null;
            List<Observed> facts = new ArrayList<>();
            for (Process p : processes) {
                Integer rank = p.rank != null ? p.rank : named;
                ProcessState fact = new ProcessState(p.pid, rank, p.state, p.waitsIn, p.command);
                String text = "process " + p.pid + " state " + p.state;
                facts.add(new Observed(fact, new Source(sourceName, p.line, text)));
            }
            return facts;
        }
    }

    @Override
    public String kind() {
        return "process-states";
    }

    @Override
    public int recognises(String head) {
        for (String line : Lines.of(head)) {
            if (LINE.matcher(line).matches()) {
                return 90;
            }
            Matcher title = TITLE.matcher(line);
            if (title.matches() && title.group(2).equals("stat")) {
                return 90;
            }
        }
        return 0;
    }

    @Override
    public Reading parse(String text) {
        List<Process> found = new ArrayList<>();
        List<String> unparsed = new ArrayList<>();
        String part = null;
        List<String> lines = Lines.of(text);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher whole = LINE.matcher(line);
            Matcher title = TITLE.matcher(line);
            Matcher stat = STAT.matcher(line);
            if (whole.matches()) {
                Integer rank = whole.group(2).equals("-") ? null : Integer.valueOf(whole.group(2));
                int pid = Integer.parseInt(whole.group(1));
                String waitsIn = waits(whole.group(4));
                found.add(new Process(pid, rank, whole.group(3), waitsIn, whole.group(5), i + 1));
            } else if (title.matches()) {
                part = title.group(2);
            } else if ("stat".equals(part) && stat.matches()) {
                int pid = Integer.parseInt(stat.group(1));
                found.add(new Process(pid, null, stat.group(3), null, stat.group(2), i + 1));
            } else if ("wchan".equals(part) && NAME.matcher(line).matches() && !found.isEmpty()) {
                Process p = found.remove(found.size() - 1);
                found.add(new Process(p.pid, p.rank, p.state, waits(line), p.command, p.line));
            } else if (part == null && !line.isBlank()) {
                unparsed.add(line);
            }
        }
        return new Reading(found, found.isEmpty() ? "no process is told" : null, unparsed);
    }

    /** The kernel writes 0 for a process that runs or is stopped outside any wait. */
    private static String waits(String name) {
        return name.isEmpty() || name.equals("0") ? null : name;
    }
}
