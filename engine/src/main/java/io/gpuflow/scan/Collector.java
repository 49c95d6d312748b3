package io.gpuflow.scan;

import io.gpuflow.scan.Signature.Kind;
import io.gpuflow.scan.Signature.Wording;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns the lines that the scanner hands over into events: which signatures recognise them, for
 * which rank, host and time, and which line of the user's code a traceback ends in. Keeps a bounded
 * number of events, whatever the file's size.
 */
final class Collector implements LineScanner.Receiver {
    private static final int LONGEST = 16_384;
    private static final int LONGEST_TAIL = 1 << 17;
    private static final int SHOWN = 400;
    private static final int MOST_EVENTS = 20_000;
    private static final int MOST_STREAMS = 4_096;
    private static final int LOOK_BACK_LINES = 60;
    private static final int AFTER_TRACEBACK = 40;
    private static final int MESSAGE_LINES = 14;
    private static final int LOOKS = 256;
    private static final int MOST_PLACES = 64;
    private static final int LONGEST_PROGRESS = 4_000;
    static final String EXCEPTION = "python-exception";
    static final String EXIT = "worker-exit";
    private static final String ERROR = "error-line";
    private static final String WATCHDOG = "watchdog-consequence";
    static final String REPORT = "launcher-report";

    private static final Pattern GROUP = Pattern.compile("\\(\\?<([a-zA-Z]\\w*)>");
    private static final Pattern MESSAGE =
            Pattern.compile("\\[(?:rank\\d+\\]:\\[)?[EWF]\\d* .{0,60}\\w\\.(?:cpp|hpp|cc):\\d+\\]");

    /** An exception that says who raised it: {@code AssertionError: Rank 11: found NaN in …}. */
    private static final Pattern OWN_RANK = Pattern.compile("^\\[?[Rr]ank (\\d{1,6})\\]?[:,] ");

    private static final Pattern CHANNEL =
            Pattern.compile(
                    "Channel \\d+(?:/\\d+)? : (\\d+)\\[(\\d{1,2})\\] -> (\\d+)\\[(\\d{1,2})\\]"
                            + " via (?:P2P|SHM)");

    private static final Pattern DONE =
            Pattern.compile(
                    "(?i)\\b(?:finished|done|completed?|exiting|exited|bye|training (?:is )?over)\\b");

    /** A part of the run that is done, and not the run. */
    private static final Pattern PART_DONE =
            Pattern.compile(
                    "(?i)\\b(?:warm-?up|init\\w*|load\\w*|download\\w*|compil\\w*|set-?up|tokeni\\w*|preprocess\\w*"
                            + "|step|epoch|iter\\w*|batch|eval\\w*|checkpoint|sav\\w*|import\\w*|build\\w*|barrier|sync\\w*)\\b"
                            + ".{0,40}\\b(?:finished|done|completed?)\\b");

    private static final Map<String, List<String>> GROUPS = new HashMap<>();

    private final Signatures signatures;
    private final FileLog log;
    private final int year;
    private final Map<String, Event> known = new HashMap<>();
    private final Map<String, Stream> streams = new HashMap<>();
    private final TreeSet<Integer> ranks = new TreeSet<>();
    private final LauncherReport report = new LauncherReport();
    private final Set<Integer> lookedBack = new HashSet<>();
    private int deaths;

    /** The last exception that no logger wrote, or null. */
    private Event death;

    /** The lines of one rank, or those without a rank. */
    private static final class Stream {
        final Traceback traceback = new Traceback();
        Event begun;
        Event pending;
        long pendingLine;
    }

    Collector(Signatures signatures, FileLog log, int year) {
        this.signatures = signatures;
        this.log = log;
        this.year = year;
    }

    @Override
    public int line(LineScanner.Line line) {
        int length = Math.min(line.end - line.start, LONGEST);
        String raw = new String(line.buffer, line.start, length, StandardCharsets.UTF_8);
        int wanted = 0;
        if (raw.indexOf('\r') < 0) {
            return take(raw, line);
        }
        for (String part : raw.split("\r")) {
            wanted = Math.max(wanted, part.isEmpty() ? 0 : take(part, line));
        }
        return wanted;
    }

    private int take(String whole, LineScanner.Line line) {
        String raw = SearchedWords.off(whole);
        Prefix prefix = Prefix.of(raw, year);
        if (prefix.rank != null && ranks.size() < MOST_STREAMS) {
            ranks.add(prefix.rank);
        }
        String key = prefix.rank != null ? "r" + prefix.rank : prefix.pid + "/" + prefix.localRank;
        Stream stream =
                streams.size() < MOST_STREAMS
                        ? streams.computeIfAbsent(key, k -> new Stream())
                        : streams.getOrDefault(key, new Stream());
        String[] exception = null;
        boolean begins = prefix.body.contains("Traceback (most recent call last)");
        if (begins) {
            settle(stream);
            stream.traceback.begin(prefix.body);
            stream.begun = cutOff(raw, prefix, line, stream);
            if (prefix.rank != null && log.raised.size() < MOST_STREAMS) {
                log.raised.add(prefix.rank);
            }
        } else if (stream.traceback.open) {
            exception = stream.traceback.line(prefix.body);
        }
        if (death != null && prefix.time != null && death.timeBelow == null) {
            death.timeBelow = line.number > death.line ? prefix.time : null;
        }
        recognise(raw, prefix, line, stream, exception);
        if (stream.pending != null && line.number > stream.pendingLine + MESSAGE_LINES) {
            settle(stream);
        }
        if (begins || stream.traceback.open) {
            return AFTER_TRACEBACK;
        }
        return exception != null ? MESSAGE_LINES : 0;
    }

    private void recognise(
            String raw, Prefix prefix, LineScanner.Line line, Stream stream, String[] exception) {
        Event generic = null;
        boolean special = false;
        boolean continues = false;
        boolean passesOn = false;
        for (int i = 0; i < line.textCount; i++) {
            for (int w : signatures.wordings(line.texts[i])) {
                Signature signature = signatures.signature(w);
                if (signature.generic() && generic != null && !better(signature, generic)) {
                    continue;
                }
                boolean noise =
                        signature.generic() && prefix.mild && signature.kind() == Kind.FAULT;
                Map<String, String> values = noise ? null : match(w, raw, prefix.body);
                if (values == null) {
                    continue;
                }
                if (signature.id().equals(REPORT)) {
                    report(values, raw, line);
                    special = true;
                    continue;
                }
                Event event = event(signature, values, raw, prefix, line, stream);
                if (IncidentBuilder.watchdog(event)) {
                    shownBefore(event, line);
                }
                if (signature.generic()) {
                    generic = event;
                } else {
                    special |= signature.kind() != Kind.CONTEXT;
                    passesOn |= signature.id().equals(WATCHDOG);
                    continues |= signature.kind() == Kind.FAULT || signature.kind() == Kind.VICTIM;
                    add(event, line);
                    for (Map<String, String> more : further(w, raw, values)) {
                        keep(event(signature, more, raw, prefix, line, stream));
                    }
                }
            }
        }
        // That a device failed says more than that its error came as an exception, or that the
        // watchdog ended the process because of it.
        boolean device = generic != null && ofDevice(generic.signature);
        if (exception != null && (special || device)) {
            settle(stream);
            if (!special) {
                add(generic, line);
            }
        } else if (continues && prefix.time == null) {
            // A later line of the exception's message says it better.
            stream.pending = null;
        } else if (exception != null) {
            settle(stream);
            stream.pending = exception(exception, raw, prefix, line, stream);
            stream.pendingLine = line.number;
        } else if (generic != null && (!special || passesOn && device) && stream.pending == null) {
            add(generic, line);
        }
    }

    private static boolean better(Signature signature, Event than) {
        int order = signature.kind().compareTo(than.signature.kind());
        return order < 0 || order == 0 && than.id().equals(EXCEPTION);
    }

    private static boolean ofDevice(Signature signature) {
        return signature.kind() == Kind.FAULT && !signature.id().equals(EXCEPTION);
    }

    /** What the wording captures, or null when it does not recognise the line. */
    private Map<String, String> match(int w, String raw, String body) {
        Wording wording = signatures.wording(w);
        for (String no : wording.unless()) {
            if (raw.contains(no)) {
                return null;
            }
        }
        Pattern pattern = signatures.pattern(w);
        if (pattern == null) {
            return raw.contains(wording.text()) ? Map.of() : null;
        }
        Matcher m = pattern.matcher(body);
        if (!m.find()) {
            m = pattern.matcher(raw);
            if (!m.find()) {
                return null;
            }
        }
        return captured(m, groups(wording.match()));
    }

    private static Map<String, String> captured(Matcher m, List<String> names) {
        if (names.isEmpty()) {
            return Map.of();
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String name : names) {
            String value = m.group(name);
            if (value != null) {
                values.put(name, shortened(value.strip()));
            }
        }
        return values;
    }

    /** Other values that the rest of the line has, for a wording that asks for every place. */
    private Set<Map<String, String>> further(int w, String raw, Map<String, String> first) {
        Wording wording = signatures.wording(w);
        if (!wording.every()) {
            return Set.of();
        }
        Set<Map<String, String>> others = new LinkedHashSet<>();
        Matcher m = signatures.pattern(w).matcher(raw);
        while (others.size() < MOST_PLACES && m.find()) {
            others.add(captured(m, groups(wording.match())));
        }
        others.remove(first);
        return others;
    }

    private static synchronized List<String> groups(String pattern) {
        return GROUPS.computeIfAbsent(
                pattern,
                p -> {
                    List<String> names = new ArrayList<>();
                    Matcher m = GROUP.matcher(p);
                    while (m.find()) {
                        names.add(m.group(1));
                    }
                    return names;
                });
    }

    private Event event(
            Signature signature,
            Map<String, String> values,
            String raw,
            Prefix prefix,
            LineScanner.Line line,
            Stream stream) {
        Event event = new Event(signature, values, log.file, line.number, shortened(raw.strip()));
        event.rank = first(values.get("rank"), prefix.rank);
        event.localRank = first(values.get("local"), prefix.localRank);
        event.pid = first(values.get("pid"), prefix.pid);
        event.device = prefix.device;
        event.host = values.getOrDefault("host", prefix.host);
        event.time = prefix.time;
        event.where = stream.traceback.where();
        if (event.where != null && prefix.time == null && signature.kind() == Kind.FAULT) {
            death = event;
            shownBefore(event, line);
        }
        return event;
    }

    /** What each rank had shown last before an end. */
    private void shownBefore(Event event, LineScanner.Line line) {
        if (++deaths > LOOKS) {
            return;
        }
        String text = tail(line.buffer, line.history, line.start);
        event.before = new HashMap<>();
        for (String l : text.split("[\r\n]+")) {
            if (l.isBlank() || l.length() > LONGEST_PROGRESS) {
                continue;
            }
            Prefix prefix = Prefix.of(beforeMessage(l), year);
            Progress progress = Progress.in(prefix, 0);
            if (progress != null) {
                event.before.put(speaker(prefix), progress);
            }
            event.timeAbove = prefix.time != null ? prefix.time : event.timeAbove;
        }
    }

    private static int speaker(Prefix prefix) {
        return prefix.rank == null || prefix.rankInMessage ? -1 : prefix.rank;
    }

    private Event exception(
            String[] exception, String raw, Prefix prefix, LineScanner.Line line, Stream stream) {
        Signature signature =
                signatures.all().stream().filter(s -> s.id().equals(EXCEPTION)).findFirst().get();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("type", exception[0]);
        values.put("message", shortened(exception[1]));
        if (stream.traceback.code() != null) {
            values.put("code", shortened(stream.traceback.code()));
        }
        Event event = event(signature, values, raw, prefix, line, stream);
        if (report.open()) {
            event.rank = first(null, report.rank());
        }
        Matcher own = OWN_RANK.matcher(exception[1]);
        if (event.rank == null && own.find()) {
            event.rank = Prefix.number(own.group(1));
        }
        return event;
    }

    private void report(Map<String, String> values, String raw, LineScanner.Line line) {
        report.take(values);
        // The report gives the rank of the traceback that it quotes.
        if (values.containsKey("traceback")) {
            Signature signature =
                    signatures.all().stream().filter(s -> s.id().equals(REPORT)).findFirst().get();
            Map<String, String> all = report.values();
            Event event = new Event(signature, all, log.file, line.number, shortened(raw.strip()));
            event.rank = Prefix.number(all.get("rank"));
            event.localRank = Prefix.number(all.get("local"));
            event.pid = Prefix.number(all.get("pid"));
            event.host = all.get("host");
            shownBefore(event, line);
            add(event, line);
        }
    }

    /** What is told of a traceback when the log ends before its exception. */
    private Event cutOff(String raw, Prefix prefix, LineScanner.Line line, Stream stream) {
        Signature signature =
                signatures.all().stream().filter(s -> s.id().equals(ERROR)).findFirst().get();
        Map<String, String> values =
                Map.of("message", "a Python traceback, cut off before its error");
        return event(signature, values, raw, prefix, line, stream);
    }

    /** Keeps what was still waiting for more lines; the last call, also when reading broke off. */
    void settle() {
        for (Stream stream : streams.values()) {
            if (stream.traceback.open && stream.begun != null && stream.pending == null) {
                keep(stream.begun);
            }
            settle(stream);
        }
        log.ranks.addAll(ranks);
    }

    private void settle(Stream stream) {
        if (stream.pending != null) {
            keep(stream.pending);
            stream.pending = null;
        }
    }

    private void add(Event event, LineScanner.Line line) {
        Kind kind = event.signature.kind();
        if (kind != Kind.CONTEXT && kind != Kind.WRAPPER || event.id().equals(EXIT)) {
            lookBack(event.rank == null ? -1 : event.rank, line);
        }
        keep(event);
    }

    private void keep(Event event) {
        Event same = known.get(event.key());
        if (same != null) {
            same.count++;
            same.lastLine = event.line;
            same.before = event.before;
            same.timeAbove = event.timeAbove;
            death = death == event ? same : death;
        } else if (known.size() < MOST_EVENTS) {
            known.put(event.key(), event);
            log.events.add(event);
        } else {
            log.dropped++;
        }
    }

    /** Finds what each rank said last before a rank's first sign of failure. */
    private void lookBack(int rank, LineScanner.Line line) {
        if (!lookedBack.add(rank) || lookedBack.size() > LOOKS) {
            return;
        }
        String text = tail(line.buffer, line.history, line.end);
        String[] lines = text.split("[\r\n]+");
        Map<Integer, Progress> found = new HashMap<>();
        Map<Integer, FileLog.Line> done = new HashMap<>();
        for (int i = Math.max(0, lines.length - LOOK_BACK_LINES); i < lines.length; i++) {
            String own = beforeMessage(lines[i]);
            if (own.length() > LONGEST_PROGRESS || own.isBlank()) {
                continue;
            }
            Prefix prefix = Prefix.of(own, year);
            channel(prefix);
            int speaker = speaker(prefix);
            if (speaker >= 0 && ranks.size() < MOST_STREAMS) {
                ranks.add(speaker);
            }
            Progress progress =
                    Progress.in(prefix, Math.max(0, line.number - (lines.length - 1 - i)));
            if (progress != null) {
                found.put(speaker, progress);
            }
            boolean over =
                    DONE.matcher(prefix.body).find() && !PART_DONE.matcher(prefix.body).find();
            long number = line.number - (lines.length - 1 - i);
            done.put(speaker, over ? new FileLog.Line(number, shortened(own.strip())) : null);
        }
        found.forEach(log.before::putIfAbsent);
        done.forEach(
                (speaker, last) -> {
                    if (last != null && speaker >= 0) {
                        log.done.putIfAbsent(speaker, last);
                    }
                });
    }

    /** Learns from {@code Channel 03 : 15[7] -> 14[6] via SHM} which rank uses which GPU. */
    private void channel(Prefix prefix) {
        Matcher m = prefix.device == null ? null : CHANNEL.matcher(prefix.body);
        if (m != null && m.find() && log.rankOfDevice.size() < MOST_STREAMS) {
            log.rankOfDevice.put(prefix.host + "/" + m.group(2), Prefix.number(m.group(1)));
            log.rankOfDevice.put(prefix.host + "/" + m.group(4), Prefix.number(m.group(3)));
        }
    }

    /**
     * What stands before a library's message on the same line: a progress bar without a newline.
     */
    private static String beforeMessage(String line) {
        Matcher m = MESSAGE.matcher(line);
        return m.find() ? line.substring(0, m.start()) : line;
    }

    private static String tail(byte[] buffer, int from, int to) {
        int start = Math.max(from, to - LONGEST);
        return new String(buffer, start, to - start, StandardCharsets.UTF_8);
    }

    @Override
    public void end(byte[] buffer, int from, int to) {
        int start = Math.max(from, to - LONGEST_TAIL);
        String text = new String(buffer, start, to - start, StandardCharsets.UTF_8);
        new Tail(text, year).tell(log, start == from && to < LONGEST_TAIL);
    }

    private static Integer first(String digits, Integer other) {
        Integer n = Prefix.number(digits);
        return n != null ? n : other;
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
