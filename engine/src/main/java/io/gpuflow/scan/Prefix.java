package io.gpuflow.scan;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands before a line's message: colours, times, ranks, hosts and process ids that launchers,
 * log collectors and libraries put there. Each is optional, in any order, and taken off from the
 * left until something else comes.
 */
final class Prefix {
    private static final int MOST = 8;
    private static final Pattern COLOUR = Pattern.compile("(?:\u001b|#033)\\[[0-9;?]*[A-Za-z]");

    private static final String DATE = "(?<y>\\d{4})[-/](?<mo>\\d\\d)[-/](?<d>\\d\\d)";
    private static final String CLOCK =
            "(?<h>\\d\\d):(?<mi>\\d\\d):(?<s>\\d\\d)(?:[.,:](?<f>\\d{1,9}))?";
    private static final String ZONE = "(?<zone>Z|[+-]\\d\\d:?\\d\\d)?";
    private static final String MONTH = "(?<mon>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
    private static final String WORD_LEVEL =
            "(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|FATAL)";

    /** Tried in this order at each place. */
    private static final List<Pattern> PIECES =
            List.of(
                    // what people and tables put before lines that they quote
                    Pattern.compile("(?:> ?|\\s*\\| )+(?=\\S)"),
                    // 2026-11-29T15:34:12.817000Z   [2026-11-29 15:34:12,817]   2026-11-29_15:34:12
                    Pattern.compile(
                            "[\\[(]?" + DATE + "[T _|]+" + CLOCK + " ?" + ZONE + "[\\])]?[:|]? *"),
                    // glog and c10d: [rank0]:[E1129 15:36:21.947432877 ProcessGroupNCCL.cpp:689]
                    Pattern.compile(
                            "\\[?[EWIF](?<mo>\\d{1,2}?)(?<d>\\d\\d) "
                                    + CLOCK
                                    + "(?: +(?<pid>\\d+))? +[\\w./-]+:\\d+\\] ?"),
                    Pattern.compile("\\[[EWIF] [\\w./-]+:\\d+\\] ?"),
                    // syslog: Nov 05 13:55:26 node1 nv-fabricmanager[104230]:
                    Pattern.compile(
                            MONTH
                                    + " +(?<d>\\d{1,2}) "
                                    + CLOCK
                                    + " (?<host>[\\w.-]+) [\\w./@-]+(?:\\[\\d+\\])?: "),
                    Pattern.compile(MONTH + " +(?<d>\\d{1,2}) " + CLOCK + " +"),
                    // dmesg -T: [Thu Oct 10 03:06:53 2024]
                    Pattern.compile(
                            "\\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) "
                                    + MONTH
                                    + " +(?<d>\\d{1,2}) "
                                    + CLOCK
                                    + " (?<y>\\d{4})\\] *"),
                    Pattern.compile("<\\d{1,3}>(?=\\[)"),
                    // dmesg: [1084456.074554]
                    Pattern.compile("\\[ *(?<up>\\d+\\.\\d{6})\\] *"),
                    // vLLM and Ray: ERROR 04-13 19:52:24 [multiproc_executor.py:800]
                    Pattern.compile(
                            WORD_LEVEL
                                    + " (?<mo>\\d\\d)-(?<d>\\d\\d) "
                                    + CLOCK
                                    + " \\[?[\\w./-]+:\\d+\\]? ?"),
                    // torchrun and torchelastic: [rank3]:  [default3]:  [rank 3]
                    Pattern.compile("\\[(?:rank|Rank|RANK)[ _]?(?<rank>\\d+)\\]:? ?"),
                    Pattern.compile("\\[[\\w .-]{0,20}\\b[Rr]ank[ _:=]?(?<rank>\\d+)\\]:? ?"),
                    // TorchX and its like put the role before it: trainer/0 [default3]:
                    Pattern.compile(
                            "[\\w.-]{1,60}/\\d{1,5} (?=\\[default\\d+\\]:|\\[rank\\d+\\]:)"),
                    Pattern.compile("\\[default(?<local>\\d+)\\]:"),
                    // mpirun --tag-output and --timestamp-output: [1,3]<stderr>:
                    Pattern.compile("\\[\\d+,(?<rank>\\d+)\\](?:<std\\w+>)?: ?"),
                    // srun -l:  3: text
                    Pattern.compile("(?<rank>\\d{1,5}): (?=\\S)"),
                    // Ray: (RayWorker pid=123, ip=10.0.0.2)   vLLM: (VllmWorker rank=1 pid=12)
                    Pattern.compile(
                            "\\([\\w.:-]*[A-Za-z][\\w.:-]*(?: rank=(?<rank>\\d+))?,? pid=(?<pid>\\d+)"
                                    + "(?:, ip=(?<host>[\\w.:-]+))?\\) ?"),
                    Pattern.compile("\\((?:Worker|VllmWorker)(?:_TP|-)?(?<rank>\\d+)[^)]*\\) ?"),
                    // kubectl logs --prefix: [pod/trainer-1/main]   stern: trainer-1 main
                    Pattern.compile("\\[pod/(?<host>[\\w.-]+)/[\\w.-]+\\] ?"),
                    Pattern.compile("(?<host>[a-z0-9][\\w.-]*-\\d+) +[\\w-]+ [\\u203a|>] ?"),
                    // docker compose and pdsh: worker-1 | text,   node12: text
                    Pattern.compile("(?<host>[a-z][\\w.]*-\\d+) +\\| "),
                    Pattern.compile("\\[(?<host>node[\\w.-]*)\\]:? ?"),
                    Pattern.compile(
                            "(?<host>(?:\\d{1,3}\\.){3}\\d{1,3}|(?!slurmstepd-)[a-z][\\w-]*\\d+): (?=\\S)"),
                    // NCCL and RCCL: host:pid:tid [dev]
                    Pattern.compile(
                            "(?<host>[\\w.-]+):(?<pid>\\d+):\\d+ \\[(?<dev>\\d+)\\] (?:(?=\\S))?"),
                    Pattern.compile("[\\[(]?" + WORD_LEVEL + "[\\])]?[:|]? +(?=\\S)"),
                    Pattern.compile(CLOCK + " +"),
                    Pattern.compile("kern {0,2}:(?: ?\\w+ ?:)? ?"),
                    Pattern.compile("(?:\\[std(?:out|err)\\]|std(?:out|err) [FP]) ?"));

    private static final Pattern MILD =
            Pattern.compile("\\b(?:WARN(?:ING)?|INFO|DEBUG|TRACE)\\b|^\\[?[WIDV]\\d* ");
    private static final Pattern IN_BODY =
            Pattern.compile(
                    "\\[Rank (?<rank>\\d+)\\]|\\bRank (?<pgrank>\\d+)\\] |^rank (?<own>\\d+)\\b(?!:)");

    private static final Map<String, Integer> MONTHS =
            Map.ofEntries(
                    Map.entry("Jan", 1),
                    Map.entry("Feb", 2),
                    Map.entry("Mar", 3),
                    Map.entry("Apr", 4),
                    Map.entry("May", 5),
                    Map.entry("Jun", 6),
                    Map.entry("Jul", 7),
                    Map.entry("Aug", 8),
                    Map.entry("Sep", 9),
                    Map.entry("Oct", 10),
                    Map.entry("Nov", 11),
                    Map.entry("Dec", 12));

    /** Global rank, or null. */
    Integer rank;

    /** True when the message names the rank, as of the group or of what it tells about. */
    boolean rankInMessage;

    /** True when the line says that it is a warning, information or less. */
    boolean mild;

    /** Rank on its node, or null. */
    Integer localRank;

    String host;
    Integer pid;

    /** Index of the GPU that a thread of NCCL works on, or null. */
    Integer device;

    /** Seconds since the epoch; a time without a zone is read as UTC. Null without a date. */
    Double time;

    /** Seconds since boot, or null. */
    Double uptime;

    /** The message. */
    String body;

    private Prefix() {}

    /**
     * @param year the year of times that bear none
     */
    static Prefix of(String line, int year) {
        Prefix p = new Prefix();
        boolean coloured = line.indexOf('\u001b') >= 0 || line.contains("#033[");
        String text = coloured ? COLOUR.matcher(line).replaceAll("") : line;
        int at = 0;
        for (int n = 0; n < MOST; n++) {
            int to = p.piece(text, at, year);
            if (to <= at) {
                break;
            }
            at = to;
        }
        p.body = text.substring(at);
        if (p.rank == null) {
            Matcher m = IN_BODY.matcher(p.body);
            if (m.find()) {
                String found = m.group("rank") != null ? m.group("rank") : m.group("pgrank");
                p.rankInMessage = found != null;
                p.rank = number(found != null ? found : m.group("own"));
            }
        }
        return p;
    }

    private int piece(String text, int at, int year) {
        for (Pattern pattern : PIECES) {
            Matcher m = pattern.matcher(text).region(at, text.length());
            if (m.lookingAt() && m.end() > at) {
                take(m, pattern.pattern(), year);
                return m.end();
            }
        }
        return at;
    }

    private void take(Matcher m, String pattern, int year) {
        rank = rank == null ? number(group(m, pattern, "rank")) : rank;
        localRank = localRank == null ? number(group(m, pattern, "local")) : localRank;
        host = host == null ? group(m, pattern, "host") : host;
        pid = pid == null ? number(group(m, pattern, "pid")) : pid;
        device = device == null ? number(group(m, pattern, "dev")) : device;
        mild |= MILD.matcher(m.group()).find();
        String up = group(m, pattern, "up");
        uptime = up == null ? uptime : Double.valueOf(up);
        if (time == null && group(m, pattern, "d") != null) {
            time = time(m, pattern, year);
        }
    }

    private static Double time(Matcher m, String pattern, int year) {
        String y = group(m, pattern, "y");
        String mon = group(m, pattern, "mon");
        try {
            LocalDateTime local =
                    LocalDateTime.of(
                            y == null ? year : Integer.parseInt(y),
                            mon == null ? Integer.parseInt(m.group("mo")) : MONTHS.get(mon),
                            Integer.parseInt(m.group("d")),
                            Integer.parseInt(m.group("h")),
                            Integer.parseInt(m.group("mi")),
                            Math.min(59, Integer.parseInt(m.group("s"))));
            String zone = group(m, pattern, "zone");
            ZoneOffset offset = zone == null ? ZoneOffset.UTC : ZoneOffset.of(zone);
            String f = group(m, pattern, "f");
            double fraction = f == null ? 0 : Double.parseDouble("0." + f);
            return local.toEpochSecond(offset) + fraction;
        } catch (DateTimeException | NumberFormatException e) {
            return null;
        }
    }

    private static String group(Matcher m, String pattern, String name) {
        return pattern.contains("(?<" + name + ">") ? m.group(name) : null;
    }

    static Integer number(String digits) {
        if (digits == null || digits.isEmpty() || digits.length() > 9) {
            return null;
        }
        try {
            return Integer.valueOf(digits);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
