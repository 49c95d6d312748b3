package io.gpuflow.parse;

import java.util.List;

/**
 * Reads the INFO log of NCCL and RCCL: version, network, size, and the transport between each pair
 * of ranks. Lines of all ranks may be interleaved and bear any launcher's prefix.
 */
public final class NcclInfoParser implements Parser<NcclInfoReport> {
    /** Lines of other programs that are kept. */
    private static final int MAX_UNPARSED = 200;

    private static final int MAX_WARNINGS = 50;

    @Override
    public String kind() {
        return "nccl-info";
    }

    @Override
    public boolean readsPart() {
        return true;
    }

    @Override
    public int recognises(String head) {
        if (head.contains("NCCL INFO ") || head.contains("NCCL WARN ")) {
            return 70;
        }
        return head.contains("NCCL version ") || head.contains("RCCL version") ? 40 : 0;
    }

    @Override
    public NcclInfoReport parse(String text) {
        List<String> lines = Lines.of(text);
        NcclInfoReport report = new NcclInfoReport(lines);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            NcclLogLine log = NcclLogLine.in(line);
            if (log != null) {
                report.any = true;
                if (log.host() != null) {
                    report.hosts.add(log.host());
                }
                read(log.message(), log, i + 1, report);
                if (log.level().equals("WARN") && report.warnings.size() < MAX_WARNINGS) {
                    report.warnings.add(Excerpt.of(log.message()));
                }
            } else if (!readPlain(line, i + 1, report) && !line.isBlank()) {
                if (report.unparsed.size() < MAX_UNPARSED) {
                    report.unparsed.add(Excerpt.of(line));
                }
            }
        }
        return report;
    }

    /** Lines that NCCL prints without its prefix, or whose prefix was cut off. */
    private static boolean readPlain(String line, int number, NcclInfoReport report) {
        String text = line.strip();
        if (readVersion(text, number, report)) {
            report.any = true;
            return true;
        }
        boolean channel =
                text.startsWith("Channel ") && text.contains("->") && text.contains(" via ");
        if (channel) {
            report.any = true;
            readTransport(text, number, report);
        }
        return channel;
    }

    private static void read(String message, NcclLogLine log, int number, NcclInfoReport report) {
        if (message.contains("->") && message.contains(" via ")) {
            readTransport(message, number, report);
            NcclCommLine.read(message, log, number, report);
        } else if (message.contains(" set by environment to ")) {
            readEnvironment(message, number, report);
        } else if (message.contains("anks ") || message.startsWith("MNNVL ")) {
            NcclCommLine.read(message, log, number, report);
        } else if (!readVersion(message, number, report)) {
            NcclNetworkLine.read(message, number, report);
        }
    }

    /**
     * NCCL version 2.28.9+cuda13.0 · RCCL version : 2.22.3-HEAD:271856d · RCCL version
     * 2.18.3+hip5.5 …
     */
    private static boolean readVersion(String text, int number, NcclInfoReport report) {
        int at = text.indexOf("NCCL version ");
        boolean rccl = false;
        if (at < 0) {
            at = text.indexOf("RCCL version");
            rccl = at >= 0;
        }
        if (at < 0) {
            return text.startsWith("HIP version")
                    || text.startsWith("ROCm version")
                    || text.startsWith("Librccl path");
        }
        String rest = text.substring(at + 12).strip();
        List<Token> words = Token.in(rest.startsWith(":") ? rest.substring(1) : rest);
        if (words.isEmpty() || !Character.isDigit(words.get(0).text().charAt(0))) {
            return false;
        }
        if (rccl) {
            report.library = "RCCL";
        }
        if (report.versions.isEmpty()) {
            report.versionLine = number;
        }
        report.versions.add(bare(words.get(0).text()));
        return true;
    }

    private static String bare(String version) {
        int end = version.length();
        while (end > 0 && ",.;)]'\"".indexOf(version.charAt(end - 1)) >= 0) {
            end--;
        }
        return version.substring(0, end);
    }

    /** NCCL_IB_DISABLE set by environment to 1. */
    private static void readEnvironment(String message, int number, NcclInfoReport report) {
        int at = message.indexOf(" set by environment to ");
        int start = message.lastIndexOf(' ', at - 1) + 1;
        String name = message.substring(start, at);
        String value = NcclNetworkLine.unmarked(message.substring(at + 23));
        value = value.endsWith(".") ? value.substring(0, value.length() - 1) : value;
        if (!name.isEmpty() && report.environment.putIfAbsent(name, Excerpt.of(value)) == null) {
            report.environmentLines.put(name, number);
        }
    }

    /** Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM */
    private static void readTransport(String message, int number, NcclInfoReport report) {
        String via = via(message.substring(message.lastIndexOf(" via ") + 5));
        if (via == null) {
            return;
        }
        report.transports.merge(via, 1, Integer::sum);
        int arrow = message.indexOf("->");
        Integer from = lastRank(message.substring(0, arrow));
        Integer to = firstRank(message.substring(arrow + 2));
        if (from != null && to != null) {
            report.links.putIfAbsent(new NcclInfoReport.Link(from, to, via), number);
        }
        Integer channel = firstNumber(message);
        if (channel != null) {
            report.channels.add(channel);
        }
        if (via.startsWith("NET/") || via.startsWith("COLLNET/")) {
            boolean direct = via.contains("GDRDMA");
            report.gdr = report.gdr == null ? Boolean.valueOf(direct) : report.gdr | direct;
        }
    }

    /**
     * One word, save for "P2P/direct pointer", "direct shared memory" and networks with a blank.
     */
    private static String via(String rest) {
        List<Token> words = Token.in(rest);
        if (words.isEmpty()) {
            return null;
        }
        String first = words.get(0).text();
        int count = 1;
        if (first.equals("direct") && words.size() > 2) {
            count = 3;
        } else if ((first.equals("P2P/direct") || first.equals("P2P/common")) && words.size() > 1) {
            count = 2;
        } else if (first.startsWith("NET/") && first.indexOf('/', 4) < 0) {
            while (count < words.size()
                    && count < 4
                    && words.get(count - 1).text().indexOf('/', count == 1 ? 4 : 0) < 0) {
                count++;
            }
        }
        StringBuilder via = new StringBuilder(first);
        for (int i = 1; i < count && i < words.size(); i++) {
            via.append(' ').append(words.get(i).text());
        }
        return clean(via.toString());
    }

    /** Without what a log collector put behind it: quotes, commas, escapes. */
    private static String clean(String via) {
        for (int i = 0; i < via.length(); i++) {
            if ("\"\\,;<'".indexOf(via.charAt(i)) >= 0) {
                return via.substring(0, i);
            }
        }
        return via;
    }

    /** The rank before the arrow: "0[0] " or, in the first versions, "0 ". */
    private static Integer lastRank(String text) {
        String word = text.strip();
        int open = word.lastIndexOf('[');
        int end = open > 0 && word.endsWith("]") ? open : word.length();
        int start = end;
        while (start > 0 && Character.isDigit(word.charAt(start - 1))) {
            start--;
        }
        return number(word.substring(start, end));
    }

    private static Integer firstNumber(String text) {
        int start = 0;
        while (start < text.length() && !Character.isDigit(text.charAt(start))) {
            start++;
        }
        return firstRank(text.substring(start));
    }

    private static Integer firstRank(String text) {
        String word = text.strip();
        int end = 0;
        while (end < word.length() && Character.isDigit(word.charAt(end))) {
            end++;
        }
        return number(word.substring(0, end));
    }

    private static Integer number(String digits) {
        Long number = digits.length() > 7 ? null : Numbers.integer(digits);
        return number == null ? null : Integer.valueOf(number.intValue());
    }
}
