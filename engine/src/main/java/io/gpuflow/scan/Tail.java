package io.gpuflow.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What the end of a log shows: work, a start, an end, or only that it stops. */
final class Tail {
    /** Lines in which progress counts as the last thing that happened. */
    private static final int LAST = 60;

    /** Lines in which the last steps of many ranks are looked for. */
    private static final int LAST_OF_RANKS = 600;

    private static final int LONGEST_LINE = 4_000;
    private static final int SHOWN = 400;

    /** So many lines above unittest's word stands what it ran. */
    private static final int ABOVE = 3;

    /** A line of stars or dashes, or an empty one, whatever prefix it has. */
    private static final Pattern BANNER = Pattern.compile("(?:\\S.{0,120}\\] ?)?[\\s*=#-]*");

    private static final Pattern KERNEL =
            Pattern.compile(
                    "\\bkernel: |^(?:<\\d{1,3}>)?\\[ *\\d+\\.\\d{6}\\]|\\bNVRM: |^\\[[A-Z][a-z]{2} [A-Z]");

    /** A line, and how many newlines stand below it. */
    private record Line(String text, int below) {}

    private final List<Line> lines = new ArrayList<>();
    private final int year;

    /**
     * @param text the end of a log, or all of it
     */
    Tail(String text, int year) {
        this.year = year;
        String[] all = text.split("\n", -1);
        for (int i = 0; i < all.length; i++) {
            for (String part : all[i].split("\r")) {
                if (!part.isEmpty() && part.length() <= LONGEST_LINE) {
                    lines.add(new Line(part, all.length - 1 - i));
                }
            }
        }
    }

    /**
     * @param whole the text is the whole log
     */
    void tell(FileLog log, boolean whole) {
        int last = Math.max(0, lines.size() - LAST);
        log.prefixed = 2 * prefixed(last) >= lines.size() - last;
        log.connected = lines.stream().anyMatch(l -> StartUp.connects(l.text));
        log.starts = lines.stream().anyMatch(l -> StartUp.ends(l.text));
        log.excerpt = whole && Excerpt.of(lines.stream().map(Line::text).toList());
        log.kernel = 2 * lines.stream().filter(l -> kernel(l.text)).count() >= lines.size();
        log.lastLine = lastLine();
        log.endsStarting = log.lastLine != null && StartUp.ends(log.lastLine);
        boolean ofRanks = lines.stream().anyMatch(l -> l.text.contains("rank"));
        int paced = ofRanks ? Math.max(0, lines.size() - LAST_OF_RANKS) : last;
        for (int i = lines.size() - 1; i >= 0; i--) {
            look(log, i, i >= last, i >= paced);
        }
    }

    private void look(FileLog log, int index, boolean late, boolean paced) {
        Line line = lines.get(index);
        if (log.worked && !late && !paced) {
            return;
        }
        Prefix prefix = Prefix.of(line.text, year);
        if (late) {
            if (!log.ended && Ending.ends(prefix.body)) {
                log.ended = true;
                log.endedFromEnd = line.below;
            }
            if (log.testsPassedFromEnd < 0 && testsPassed(prefix.body, index)) {
                log.testsPassedFromEnd = line.below;
            }
        }
        Progress progress = Progress.in(prefix, 0);
        if (progress != null) {
            log.worked |= progress.work();
            int speaker = prefix.rank == null || prefix.rankInMessage ? -1 : prefix.rank;
            if (paced && progress.work() && progress.step() != null) {
                log.steps.computeIfAbsent(speaker, k -> new Pace.Steps()).add(progress);
            }
            if (late && log.last == null) {
                log.last = progress;
                log.lastRank = speaker;
                log.lastFromEnd = line.below;
            }
        }
    }

    private boolean testsPassed(String body, int index) {
        return Ending.testsPassed(body)
                || Ending.unittestOk(body)
                        && lines.subList(Math.max(0, index - ABOVE), index).stream()
                                .anyMatch(l -> Ending.unittestRan(l.text));
    }

    private static boolean kernel(String line) {
        return KERNEL.matcher(line).find();
    }

    private String lastLine() {
        for (int i = lines.size() - 1; i >= 0; i--) {
            String text = lines.get(i).text.strip();
            if (!BANNER.matcher(text).matches()) {
                return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
            }
        }
        return null;
    }

    private int prefixed(int from) {
        int like = 0;
        for (Line line : lines.subList(from, lines.size())) {
            String text = line.text;
            Prefix p = Prefix.of(text.substring(0, Math.min(text.length(), SHOWN)), year);
            boolean known = p.time != null || p.uptime != null || p.pid != null;
            like += known || p.rank != null && !p.rankInMessage ? 1 : 0;
        }
        return like;
    }
}
