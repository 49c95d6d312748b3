package io.gpuflow.parse;

import io.gpuflow.parse.RasReport.Communicator;
import io.gpuflow.parse.RasReport.Rank;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the report of NCCL's RAS service (STATUS, VERBOSE STATUS, ncclras), text and JSON, NCCL
 * 2.24 to 2.30.
 *
 * <p>Layout: NVIDIA/nccl src/ras/client_support.cc.
 */
public final class RasParser implements Parser<RasReport> {
    private static final int MOST = 4096;
    private static final Pattern VERSION =
            Pattern.compile("NCCL version ([\\d.]+) compiled with CUDA.*");
    private static final Pattern ROW =
            Pattern.compile(
                    "\\s*(\\d{1,9})\\s+(\\d{1,9})\\s+\\d+\\s+[\\d-]+\\s+(\\d{1,9})\\s+\\d+\\s+([A-Z]+)\\s+([A-Z,]+)\\s*");
    private static final Pattern TOTALS =
            Pattern.compile("\\d+\\s+[\\d-]+\\s+[\\d-]+\\s+\\d+\\s+(\\d{1,9})");
    private static final Pattern HEAD =
            Pattern.compile("#(\\d{1,9})-\\d+ \\(([0-9a-f]{1,16})\\) ([A-Z]+).*");
    private static final Pattern JOB = Pattern.compile("(INCOMPLETE|DEAD|TIMEOUT)");
    private static final String BY =
            "(?: -- (?:GPUs? .*?managed by process (?<pid>\\d{1,9}) on node (?<node>\\S+)|\\[.*\\]))?";
    private static final Pattern RANK =
            Pattern.compile("Rank (?<rank>\\d{1,9})(?<what> [a-z].*?)?" + BY);
    private static final Pattern LONE = Pattern.compile("The missing rank: (\\d{1,9})");
    private static final Pattern OPERATION =
            Pattern.compile("Communicator ranks have different (\\w+) operation counts");
    private static final Pattern MANY =
            Pattern.compile("(\\d{1,9}) ranks have launched up to operation (\\d{1,18})");
    private static final Pattern NONE_OF_MANY =
            Pattern.compile("(\\d{1,9}) ranks have not launched any operations");
    private static final Pattern LAUNCHED =
            Pattern.compile(" has launched up to operation (\\d{1,18})");
    private static final Pattern TIMEOUTS =
            Pattern.compile("Encountered (\\d{1,9}) communication timeout.*");
    private static final Pattern PROCESS = Pattern.compile("Process (\\d{1,9}) on node (\\S+).*");

    @Override
    public String kind() {
        return "ras";
    }

    @Override
    public int recognises(String head) {
        boolean text = head.contains("compiled with CUDA") && head.contains("Communicators...");
        boolean json =
                head.contains("\"communicators_count\"") && head.contains("\"nccl_version\"");
        return text || json ? 92 : 0;
    }

    @Override
    public RasReport parse(String text) {
        List<String> lines = Lines.of(text);
        return text.contains("\"communicators_count\"")
                ? new RasJson(lines).report()
                : new Text().of(lines);
    }

    /** One text on its way to a report. */
    private static final class Text {
        private final List<Communicator> comms = new ArrayList<>();
        private final List<Rank> ranks = new ArrayList<>();
        private final List<String> unparsed = new ArrayList<>();
        private final List<Integer> dead = new ArrayList<>();
        private RasCounts counts;
        private String version;
        private Integer timeouts;
        private String comm;
        private String kind = "";
        private boolean table;
        private final Map<Integer, Long> sizes = new HashMap<>();
        private long largest;
        private long gpus;

        /** The communicator holds the whole job, so that its ranks are the job's. */
        private boolean whole;

        RasReport of(List<String> lines) {
            for (int i = 0; i < lines.size(); i++) {
                line(lines.get(i), i + 1);
            }
            endComm();
            dead.forEach(this::die);
            String error = version == null ? "no RAS report found" : null;
            return new RasReport(version, comms, ranks, timeouts, error, unparsed);
        }

        private void line(String line, int number) {
            Matcher m;
            String text = line.strip();
            if ((m = VERSION.matcher(text)).matches()) {
                version = m.group(1);
            } else if (comms.isEmpty() && (m = TOTALS.matcher(text)).matches()) {
                gpus = Long.parseLong(m.group(1));
            } else if ((m = ROW.matcher(line)).matches()) {
                row(m);
            } else if ((m = HEAD.matcher(line)).matches()) {
                endComm();
                Long size = sizes.get(Integer.valueOf(m.group(1)));
                whole = size != null && size == (gpus > 0 ? gpus : largest);
                comm = m.group(2);
                kind = m.group(3);
                counts = new RasCounts(comm);
            } else if ((m = JOB.matcher(line)).matches()) {
                endComm();
                kind = "job " + m.group(1);
            } else if (line.startsWith("Errors") || line.startsWith("Warnings")) {
                endComm();
                kind = "";
                table = true;
            } else if ((m = TIMEOUTS.matcher(text)).matches()) {
                timeouts = Integer.valueOf(m.group(1));
            } else if (kind.equals("job DEAD") && (m = PROCESS.matcher(text)).matches()) {
                dead.add(Integer.valueOf(m.group(1)));
            } else if (comm != null) {
                detail(text, number);
            } else if (table && kind.isEmpty() && !text.isEmpty() && !text.matches("=+")) {
                unparsed.add(line);
            }
        }

        private void row(Matcher m) {
            long size = Long.parseLong(m.group(3));
            largest = Math.max(largest, size);
            sizes.putIfAbsent(Integer.valueOf(m.group(1)), size);
            List<String> errors = List.of(m.group(5).split(","));
            comms.add(new Communicator(null, Long.parseLong(m.group(2)), size, m.group(4), errors));
        }

        private void detail(String text, int number) {
            Matcher m;
            if ((m = OPERATION.matcher(text)).matches()) {
                counts.operation(m.group(1));
            } else if ((m = MANY.matcher(text)).matches()) {
                counts.many(Long.parseLong(m.group(1)), Long.parseLong(m.group(2)));
            } else if ((m = NONE_OF_MANY.matcher(text)).matches()) {
                counts.many(Long.parseLong(m.group(1)), 0);
            } else if ((m = LONE.matcher(text)).matches()) {
                add(rank(Integer.parseInt(m.group(1)), null, null, "missing", null, number));
            } else if ((m = RANK.matcher(text)).matches()) {
                rank(m, number);
            }
        }

        private void rank(Matcher m, int number) {
            int rank = Integer.parseInt(m.group("rank"));
            Integer pid = m.group("pid") == null ? null : Integer.valueOf(m.group("pid"));
            String node = m.group("node");
            String what = m.group("what");
            Matcher launched = LAUNCHED.matcher(what == null ? "" : what);
            if (launched.matches()) {
                long to = Long.parseLong(launched.group(1));
                counts.one(rank(rank, pid, node, "", null, number), to);
            } else if (what != null && what.contains("has not launched any")) {
                counts.one(rank(rank, pid, node, "", null, number), 0);
            } else if (what != null && what.startsWith(" reported ")) {
                String error = what.substring(" reported ".length());
                add(rank(rank, pid, node, "error", error, number));
            } else if (what == null && kind.equals("INCOMPLETE")) {
                add(rank(rank, pid, node, "missing", null, number));
            }
        }

        private Rank rank(
                int rank, Integer pid, String node, String state, String detail, int number) {
            return new Rank(comm, rank, pid, node, state, null, null, detail, number);
        }

        private void add(Rank rank) {
            // NCCL 2.28.9 may print communicators made of memory that it never filled.
            if (whole && ranks.size() < MOST && rank.rank() < largest) {
                ranks.add(rank);
            }
        }

        private void endComm() {
            if (counts != null) {
                counts.outliers().forEach(this::add);
            }
            counts = null;
            comm = null;
        }

        private void die(int pid) {
            for (int i = 0; i < ranks.size(); i++) {
                Rank r = ranks.get(i);
                if (r.state().equals("missing") && r.pid() != null && r.pid() == pid) {
                    ranks.set(
                            i,
                            new Rank(
                                    r.comm(), r.rank(), r.pid(), r.node(), "dead", null, null, null,
                                    r.line()));
                }
            }
        }
    }
}
