package io.gpuflow.scan;

import io.gpuflow.facts.Incident;
import io.gpuflow.facts.LogEvent;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.RankState;
import io.gpuflow.facts.Sighting;
import io.gpuflow.facts.Source;
import io.gpuflow.scan.Signature.Kind;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts the events of all files together: in order, by rank, counted; and says in facts how the job
 * ended. Judges nothing.
 */
final class IncidentBuilder {
    private static final int MOST_VALUES = 64;
    private static final int MOST_SOURCES = 4;

    /** Events told one by one, for the order in time; rules look at the sightings. */
    private static final int MOST_TOLD = 1_000;

    private static final int MOST_CANDIDATES = 2;

    /** Signatures of what NCCL says while a communicator forms. */
    private static final Set<String> STARTS =
            Set.of("nccl-init-start", "nccl-init-complete", "nccl-world", "nccl-network");

    private static final int ABORTED = -6;
    private static final int TERMINATED = -15;
    private static final int KILLED = -9;

    /** A little less than the 30 seconds that the launcher waits between SIGTERM and SIGKILL. */
    private static final int GRACE_SECONDS = 25;

    private static final Pattern RANK_IN_NAME =
            Pattern.compile(
                    "(?:^|[/_.-])(?:rank|r)[_-]?(\\d{1,5})(?=[/_.-]|$)|/(\\d{1,5})/std(?:out|err)\\.log$");

    private final List<FileLog> logs;
    private final List<Event> events = new ArrayList<>();

    /** Context that comes with an end and tells of no new start. */
    private static final Set<String> OF_AN_END = Set.of("collective-last-work", "worker-signalled");

    private final Set<String> passedFiles = new TreeSet<>();
    private final Map<String, Long> workLine = new HashMap<>();
    private final Ranks ranks;
    private boolean ordered;

    /**
     * @param logs of one job, {@link #join joined}
     */
    IncidentBuilder(List<FileLog> logs) {
        this.logs = logs;
        for (FileLog log : this.logs) {
            Integer ofFile = rankOfFile(log.file);
            for (Event e : log.events) {
                e.rank = e.rank == null ? ofFile : e.rank;
                events.add(e);
            }
        }
        sort();
        ranks = new Ranks(events);
        attribute();
        for (FileLog log : this.logs) {
            log.before.values().stream()
                    .filter(p -> p.stage().equals("train") || p.stage().equals("checkpoint"))
                    .forEach(p -> workLine.merge(log.file, p.line(), Math::max));
        }
        this.logs.stream().filter(IncidentBuilder::wentOn).forEach(l -> passedFiles.add(l.file));
    }

    /** Parts of one file become one log again, with line numbers of the whole. */
    static List<FileLog> join(List<FileLog> parts) {
        Map<String, FileLog> whole = new LinkedHashMap<>();
        for (FileLog part : parts) {
            FileLog log = whole.get(part.file);
            if (log == null) {
                whole.put(part.file, part);
                continue;
            }
            for (Event e : part.events) {
                e.line += log.newlines;
                e.lastLine += log.newlines;
                log.events.add(e);
            }
            part.before.forEach(
                    (rank, p) ->
                            log.before.putIfAbsent(rank, p == null ? null : p.later(log.newlines)));
            part.done.forEach(
                    (rank, l) ->
                            log.done.putIfAbsent(
                                    rank, new FileLog.Line(l.number() + log.newlines, l.text())));
            log.raised.addAll(part.raised);
            part.rankOfDevice.forEach(log.rankOfDevice::putIfAbsent);
            log.last = part.last;
            log.lastFromEnd = part.last != null ? part.lastFromEnd : -1;
            log.prefixed |= part.prefixed;
            log.lastLine = part.lastLine;
            log.connected |= part.connected;
            log.starts |= part.starts;
            log.endsStarting = part.endsStarting;
            log.steps.clear();
            log.steps.putAll(part.steps);
            log.worked |= part.worked;
            log.ended = part.ended;
            log.endedFromEnd = part.endedFromEnd;
            log.testsPassedFromEnd = part.testsPassedFromEnd;
            log.excerpt = false;
            log.kernel &= part.kernel;
            log.newlines += part.newlines;
            log.bytes += part.bytes;
            log.dropped += part.dropped;
            log.ranks.addAll(part.ranks);
        }
        return new ArrayList<>(whole.values());
    }

    /** It did not end the job: work went on afterwards. */
    private boolean passed(Event e) {
        return passedFiles.contains(e.file)
                || e.signature.startup() && e.lastLine < workLine.getOrDefault(e.file, 0L);
    }

    private static Integer rankOfFile(String file) {
        Matcher m = RANK_IN_NAME.matcher(file);
        Integer rank = null;
        while (m.find()) {
            rank = Prefix.number(m.group(1) != null ? m.group(1) : m.group(2));
        }
        return rank;
    }

    /** By time when every file bears times, else by file and line. */
    private void sort() {
        boolean timed = logs.size() > 1;
        for (FileLog log : logs) {
            Double last = null;
            for (Event e : log.events) {
                last = e.time != null ? e.time : last;
                e.time = last;
            }
            timed &= log.events.isEmpty() || last != null;
        }
        ordered = timed || logs.size() == 1;
        if (timed) {
            events.sort(Comparator.comparing(e -> e.time == null ? 0.0 : e.time));
        }
    }

    /** Work is shown after the last line that tells of trouble. */
    private static boolean wentOn(FileLog log) {
        if (log.testsPassedFromEnd >= 0 && last(log) < below(log, log.testsPassedFromEnd)) {
            return true;
        }
        if (log.last == null || last(log) >= below(log, log.lastFromEnd)) {
            return false;
        }
        Event end = end(log);
        if (end != null) {
            return startedAgain(log, end);
        }
        Event death = death(log);
        return death == null
                || endedBelow(log, death)
                || contextBelow(log, death)
                || later(log, death);
    }

    private static long below(FileLog log, int fromEnd) {
        return log.newlines - fromEnd + 1;
    }

    /** The last line that tells of trouble. */
    private static long last(FileLog log) {
        return log.events.stream()
                .filter(e -> e.signature.kind() != Kind.CONTEXT)
                .mapToLong(e -> e.lastLine)
                .max()
                .orElse(0);
    }

    /** The watchdog or the launcher ended it. */
    private static Event end(FileLog log) {
        return log.events.stream()
                .filter(IncidentBuilder::endsJob)
                .max(Comparator.comparingLong(e -> e.lastLine))
                .orElse(null);
    }

    /**
     * A new start is told, or steps are that the ended job can't have done: they are later, or
     * further than the same rank was above, or come to a proper end. Others below an end are of
     * another rank's log, or of a stdout that came late, such as a buffer written at exit.
     */
    private static boolean startedAgain(FileLog log, Event end) {
        boolean above = end.before != null && end.before.containsKey(log.lastRank);
        boolean whole = above && endedBelow(log, end);
        return whole || contextBelow(log, end) || later(log, end);
    }

    private static boolean endedBelow(FileLog log, Event than) {
        return log.ended && than.lastLine < below(log, log.endedFromEnd);
    }

    private static boolean contextBelow(FileLog log, Event end) {
        return log.events.stream()
                .filter(e -> e.signature.kind() == Kind.CONTEXT)
                .filter(e -> !OF_AN_END.contains(e.id()))
                .anyMatch(e -> e.lastLine > end.lastLine);
    }

    /**
     * The last exception that no logger wrote. It may have been caught and shown, or have ended the
     * process, whose stdout comes out of its buffer then.
     */
    private static Event death(FileLog log) {
        return log.events.stream()
                .filter(e -> e.before != null && !endsJob(e))
                .max(Comparator.comparingLong(e -> e.lastLine))
                .orElse(null);
    }

    private static boolean later(FileLog log, Event than) {
        Progress last = log.last;
        Progress before = than.before == null ? null : than.before.get(log.lastRank);
        if (before != null) {
            return last.beyond(before);
        }
        Double at = endsJob(than) ? Event.time(than) : than.timeAbove;
        if (last.time() != null && at != null) {
            boolean inOrder = than.timeBelow == null || than.timeBelow >= at;
            return inOrder && last.time() > at;
        }
        // A bar is drawn on stderr, which has no buffer.
        return last.barSeconds() != null && !endsJob(than);
    }

    private static boolean endsJob(Event e) {
        return watchdog(e) || e.id().equals(Collector.REPORT);
    }

    /** The watchdog tells of a timeout, and will end the process. */
    static boolean watchdog(Event e) {
        return e.id().equals("collective-timeout") && e.text.contains("Watchdog caught");
    }

    /** Gives errors without a rank to the ranks whose end, as the launcher reports it, fits. */
    private void attribute() {
        Map<Integer, Integer> ends = new TreeMap<>();
        for (Event e : events) {
            Integer code = e.rank == null ? null : code(e);
            boolean crash = e.id().equals(Collector.EXIT) && code != null && code < 0;
            if (code != null && (crash || e.id().equals(Collector.REPORT))) {
                ends.put(e.rank, code);
            }
        }
        Set<Integer> raised = new TreeSet<>();
        logs.forEach(l -> raised.addAll(l.raised));
        Map<String, Integer> ofDevice = new HashMap<>();
        logs.forEach(l -> l.rankOfDevice.forEach((k, r) -> ofDevice.put(l.file + k, r)));
        for (Event e : events) {
            if (e.rank == null && e.device != null && e.signature.kind() == Kind.FAULT) {
                e.rank = ofDevice.get(e.file + e.host + "/" + e.device);
            }
            if (e.rank == null && e.id().equals("device-assert") && raised.size() == 1) {
                e.rank = raised.iterator().next();
            }
            if (e.rank == null && e.signature.kind() == Kind.FAULT) {
                List<Integer> fitting = fitting(e, ends);
                if (fitting.size() == 1) {
                    e.rank = fitting.get(0);
                } else if (fitting.size() <= MOST_CANDIDATES) {
                    e.candidates = fitting;
                }
            }
        }
    }

    /** How the launcher reports the end of a process that a line without a rank tells of. */
    private static final Map<String, Integer> ENDS =
            Map.of("segfault", -11, "bus-error", -7, "heap-corrupted", ABORTED);

    private static List<Integer> fitting(Event e, Map<Integer, Integer> ends) {
        boolean python = e.where != null || e.id().equals(Collector.EXCEPTION);
        int code = ENDS.getOrDefault(e.id(), 1);
        List<Integer> fitting = new ArrayList<>();
        ends.forEach(
                (rank, end) -> {
                    if (end == code && (python || code < 0)) {
                        fitting.add(rank);
                    }
                });
        return fitting;
    }

    List<Observed> facts() {
        List<Observed> facts = new ArrayList<>();
        Map<String, List<Event>> bySignature = new LinkedHashMap<>();
        for (Event e : events) {
            bySignature.computeIfAbsent(kindOf(e), k -> new ArrayList<>()).add(e);
        }
        int order = 0;
        for (List<Event> same : bySignature.values()) {
            Sighting sighting = sighting(same, order++);
            for (Source source : sources(same)) {
                facts.add(new Observed(sighting, source));
            }
        }
        Set<Integer> timedOut = ranksOf(Kind.TIMEOUT);
        Set<Integer> victims = ranksOf(Kind.VICTIM);
        Map<Integer, RankState> states = states();
        states.values().forEach(s -> facts.add(new Observed(s, sourceOf(s))));
        new TimeoutComparison(events).facts(facts);
        events.stream()
                .filter(e -> e.signature.kind() != Kind.CONTEXT)
                .limit(MOST_TOLD)
                .forEach(e -> facts.add(told(e)));
        Incident incident = incident(timedOut, victims, states);
        for (Source source : sources(incident)) {
            facts.add(new Observed(incident, source));
        }
        return facts;
    }

    /** Exceptions of different types are different sightings: each has ranks of its own. */
    private static String kindOf(Event e) {
        return e.id().equals(Collector.EXCEPTION) ? e.id() + e.values.get("type") : e.id();
    }

    /**
     * The lines that say most of how it ended: of progress, of ranks that were done, of the end.
     */
    private List<Source> sources(Incident incident) {
        Set<Source> sources = new LinkedHashSet<>();
        for (FileLog log : logs) {
            log.before.values().stream()
                    .filter(p -> p != null && p.text().equals(incident.progress()) && p.line() > 0)
                    .forEach(p -> sources.add(source(log.file, p.line(), p.text())));
            log.done.forEach(
                    (rank, line) -> {
                        if (incident.done().contains(rank)) {
                            sources.add(source(log.file, line.number(), line.text()));
                        }
                    });
        }
        events.stream()
                .filter(e -> e.id().equals(Collector.REPORT) || e.id().equals(Collector.EXIT))
                .limit(2)
                .forEach(e -> sources.add(source(e.file, e.line, e.text)));
        if (sources.isEmpty()) {
            events.stream()
                    .filter(e -> e.signature.kind() != Kind.CONTEXT)
                    .limit(1)
                    .forEach(e -> sources.add(source(e.file, e.line, e.text)));
        }
        return sources.isEmpty()
                ? List.of(Source.of("all logs"))
                : sources.stream().limit(MOST_SOURCES).toList();
    }

    private static Source source(String file, long line, String text) {
        return new Source(file, (int) Math.min(line, Integer.MAX_VALUE), text);
    }

    private static Observed told(Event e) {
        return new Observed(
                new LogEvent(e.id(), e.rank, e.host, e.time, e.values),
                new Source(e.file, (int) Math.min(e.line, Integer.MAX_VALUE), e.text));
    }

    private Sighting sighting(List<Event> same, int order) {
        Set<Integer> ofRanks = new TreeSet<>();
        Set<Integer> candidates = new TreeSet<>();
        Set<String> hosts = new TreeSet<>();
        Map<String, List<String>> all = new TreeMap<>();
        long count = 0;
        boolean passed = true;
        for (Event e : same) {
            count += e.count;
            passed &= passed(e);
            if (e.rank != null) {
                ofRanks.add(e.rank);
            }
            candidates.addAll(e.candidates);
            if (e.host != null) {
                hosts.add(e.host);
            }
            e.values.forEach(
                    (name, value) -> {
                        List<String> values = all.computeIfAbsent(name, k -> new ArrayList<>());
                        if (values.size() < MOST_VALUES && !values.contains(value)) {
                            values.add(value);
                        }
                    });
        }
        Event first = same.get(0);
        Map<String, String> values = new TreeMap<>(first.values);
        if (first.where != null) {
            values.put("where", first.where);
        }
        if (ofRanks.isEmpty() && !candidates.isEmpty()) {
            ofRanks.addAll(candidates);
            values.put("oneOf", "yes");
        }
        return new Sighting(
                first.id(),
                first.signature.kind().name().toLowerCase(java.util.Locale.ROOT),
                (int) Math.min(count, Integer.MAX_VALUE),
                List.copyOf(ofRanks),
                List.copyOf(hosts),
                order,
                first.time,
                passed,
                values,
                all);
    }

    /** The first line, and up to three more of other ranks or values. */
    private static List<Source> sources(List<Event> same) {
        Set<Source> sources = new LinkedHashSet<>();
        for (Event e : same) {
            if (sources.size() < MOST_SOURCES) {
                sources.add(new Source(e.file, (int) Math.min(e.line, Integer.MAX_VALUE), e.text));
            }
        }
        return List.copyOf(sources);
    }

    private Source sourceOf(RankState state) {
        for (Event e : events) {
            if (e.rank != null && e.rank == state.rank() && e.signature.kind() != Kind.CONTEXT) {
                return new Source(e.file, (int) e.line, e.text);
            }
        }
        return Source.of("all logs");
    }

    private Set<Integer> ranksOf(Kind kind) {
        Set<Integer> set = new TreeSet<>();
        events.stream()
                .filter(e -> e.signature.kind() == kind && e.rank != null)
                .forEach(e -> set.add(e.rank));
        return set;
    }

    /** What each rank's own lines and the launcher say of its end. */
    private Map<Integer, RankState> states() {
        Map<Integer, RankState> states = new TreeMap<>();
        Map<Integer, Event> exits = new HashMap<>();
        for (Event e : events) {
            boolean exit = e.id().equals("worker-exit") || e.id().equals(Collector.REPORT);
            if (exit && e.rank != null) {
                exits.putIfAbsent(e.rank, e);
            }
        }
        for (Event e : events) {
            if (e.rank != null && !states.containsKey(e.rank)) {
                Kind kind = e.signature.kind();
                if (kind == Kind.FAULT || kind == Kind.TIMEOUT || kind == Kind.VICTIM) {
                    states.put(e.rank, state(e, exits.get(e.rank)));
                }
            }
        }
        exits.forEach((rank, e) -> states.computeIfAbsent(rank, r -> state(e, e)));
        return states;
    }

    private RankState state(Event first, Event exit) {
        Integer code = exit == null ? null : code(exit);
        Integer signal = code != null && code < 0 ? Integer.valueOf(-code) : null;
        boolean own = first.signature.kind() == Kind.FAULT;
        boolean ended =
                signal != null && code != ABORTED && code != TERMINATED && !byLauncher(exit);
        String state =
                ended
                        ? "killed"
                        : own
                                ? "exception"
                                : first.signature.kind() == Kind.WRAPPER ? "unknown" : "waiting";
        return new RankState(
                first.rank,
                first.host,
                first.pid != null ? first.pid : exit == null ? null : exit.pid,
                state,
                code,
                signal,
                first.signature.kind() == Kind.WRAPPER ? null : first.id(),
                first.where,
                null,
                first.time,
                "log");
    }

    /**
     * True when the launcher itself killed it: a worker that did not end within 30 seconds of
     * SIGTERM gets SIGKILL (torch.distributed.elastic.multiprocessing.api), after another failed.
     */
    private boolean byLauncher(Event exit) {
        if (code(exit) != KILLED) {
            return false;
        }
        LocalDateTime end = reportedAt(exit);
        return events.stream()
                .filter(e -> e.id().equals(Collector.REPORT) && code(e) != null)
                .filter(e -> code(e) != KILLED && code(e) != TERMINATED)
                .map(IncidentBuilder::reportedAt)
                .anyMatch(
                        other ->
                                end != null
                                        && other != null
                                        && other.plusSeconds(GRACE_SECONDS).isBefore(end));
    }

    private static LocalDateTime reportedAt(Event e) {
        String time = e.values.get("time");
        try {
            return time == null ? null : LocalDateTime.parse(time.replace('_', 'T'));
        } catch (DateTimeParseException unreadable) {
            return null;
        }
    }

    private static final Map<String, Integer> SIGNALS =
            Map.ofEntries(
                    Map.entry("SIGHUP", 1),
                    Map.entry("SIGINT", 2),
                    Map.entry("SIGILL", 4),
                    Map.entry("SIGABRT", 6),
                    Map.entry("SIGBUS", 7),
                    Map.entry("SIGFPE", 8),
                    Map.entry("SIGKILL", 9),
                    Map.entry("SIGSEGV", 11),
                    Map.entry("SIGTERM", 15),
                    Map.entry("Killed", 9),
                    Map.entry("Terminated", 15),
                    Map.entry("Segmentation fault", 11),
                    Map.entry("Bus error", 7),
                    Map.entry("Aborted", 6),
                    Map.entry("Illegal instruction", 4),
                    Map.entry("Out Of Memory", 9));

    /** Exit status as Python writes it: negative for a signal. */
    private static Integer code(Event exit) {
        String signal = exit.values.get("signal");
        if (signal != null) {
            Integer number = SIGNALS.getOrDefault(signal, Prefix.number(signal));
            return number == null ? null : Integer.valueOf(-number);
        }
        String code = exit.values.get("exit");
        if (code == null) {
            return null;
        }
        Integer n = Prefix.number(code.startsWith("-") ? code.substring(1) : code);
        if (n == null) {
            return null;
        }
        n = code.startsWith("-") ? -n : n;
        return n > 128 && n < 160 ? 128 - n : n;
    }

    private Incident incident(
            Set<Integer> timedOut, Set<Integer> victims, Map<Integer, RankState> states) {
        Set<Integer> reported = new TreeSet<>();
        Set<Integer> signalled = new TreeSet<>();
        Set<Integer> deaf = new TreeSet<>();
        Set<String> faults = new LinkedHashSet<>();
        boolean failed = false;
        boolean hasReport = false;
        int unknownSignalled = 0;
        Double timeout = null;
        Long sequence = null;
        for (Event e : events) {
            Kind kind = e.signature.kind();
            failed |= kind != Kind.CONTEXT && !passed(e);
            if (kind == Kind.FAULT && !passed(e)) {
                faults.add(e.id());
            }
            switch (e.id()) {
                case Collector.REPORT, "worker-exit" -> {
                    hasReport |= e.id().equals(Collector.REPORT);
                    Integer code = code(e);
                    boolean byLauncher = code != null && code == TERMINATED;
                    add(byLauncher ? signalled : reported, e.rank);
                }
                case "worker-signalled" -> {
                    Integer rank = ranks.ofPid(e.pid);
                    add(signalled, rank);
                    unknownSignalled += rank == null ? 1 : 0;
                }
                case "worker-deaf" -> add(deaf, ranks.ofPid(e.pid));
                default -> {}
            }
            if (kind == Kind.TIMEOUT) {
                timeout = timeout == null ? milliseconds(e.values.get("timeout")) : timeout;
                sequence = least(sequence, e.values.get("seq"));
            }
        }
        Set<Integer> silent = new TreeSet<>(ranks.all());
        logs.forEach(l -> silent.addAll(l.ranks));
        silent.removeAll(timedOut);
        silent.removeAll(victims);
        silent.removeAll(reported);
        states.values().stream()
                .filter(s -> s.exit() == null || s.exit() != TERMINATED || s.error() != null)
                .forEach(s -> silent.remove(s.rank()));
        // The launcher ends every worker that still lives; one that it neither ended nor
        // reported was already gone, and had ended well.
        Set<Integer> left = new TreeSet<>();
        boolean peers = !victims.isEmpty() || kindSeen(Kind.VICTIM);
        if (hasReport && unknownSignalled == 0) {
            left.addAll(silent);
            left.removeAll(signalled);
        }
        boolean othersLeft =
                hasReport
                        && left.isEmpty()
                        && silent.isEmpty()
                        && signalled.isEmpty()
                        && unknownSignalled == 0
                        && peers
                        && faults.isEmpty()
                        && reported.size() == 1;
        // Those that spoke of a timeout or a lost peer lived, too: when no rank is silent, they may
        // be the ones that the launcher ended.
        Set<Integer> spoke = new TreeSet<>(timedOut);
        spoke.addAll(victims);
        spoke.removeAll(reported);
        spoke.removeAll(signalled);
        int othersAlive =
                silent.isEmpty() ? Math.max(0, unknownSignalled - spoke.size()) : unknownSignalled;
        Set<Integer> done = new TreeSet<>();
        logs.forEach(l -> done.addAll(l.done.keySet()));
        done.removeAll(timedOut);
        done.removeAll(victims);
        done.removeAll(reported);
        Shown shown = shown(timedOut);
        Pace pace = pace();
        List<Integer> behind = logs.stream().anyMatch(l -> l.ended) ? List.of() : pace.behind();
        return new Incident(
                failed,
                ordered,
                !passedFiles.isEmpty() && passedFiles.size() == logs.size(),
                List.copyOf(faults),
                List.copyOf(timedOut),
                List.copyOf(victims),
                List.copyOf(reported),
                List.copyOf(signalled),
                List.copyOf(deaf),
                List.copyOf(left),
                List.copyOf(done),
                List.copyOf(silent),
                othersLeft,
                othersAlive,
                List.copyOf(ranks.all()),
                ranks.world,
                ranks.nodes,
                timeout,
                sequence,
                shown.progress == null ? null : shown.progress.stage(),
                shown.progress == null ? null : shown.progress.text(),
                shown.rank,
                shown.progress == null ? null : shown.progress.barSeconds(),
                shown.progress == null ? null : shown.progress.barDone(),
                recognised(),
                stoppedStarting(),
                endsAt(),
                excerpt(),
                behind,
                behind.isEmpty() ? null : pace.last(behind.get(0)));
    }

    private Pace pace() {
        Pace pace = new Pace();
        for (FileLog log : logs) {
            Integer ofFile = rankOfFile(log.file);
            log.steps.forEach(
                    (rank, steps) -> {
                        if (rank >= 0 || ofFile != null) {
                            pace.add(rank >= 0 ? rank : ofFile, steps);
                        }
                    });
        }
        return pace;
    }

    private String stoppedStarting() {
        boolean on =
                events.stream().anyMatch(e -> e.id().equals("nccl-init-complete"))
                        || logs.stream().anyMatch(l -> l.connected || l.worked);
        boolean began = events.stream().anyMatch(e -> e.id().equals("nccl-init-start"));
        return !on && (began || logs.stream().allMatch(l -> l.endsStarting)) ? endsAt() : null;
    }

    /**
     * The last line, when the logs are a job's and show neither work nor an end, or null. Lines
     * that were picked out of a log tell no end, nor does a kernel's log or the output of a tool.
     */
    private String endsAt() {
        String line = null;
        for (FileLog log : logs) {
            if (log.worked || log.ended || log.excerpt || log.testsPassedFromEnd >= 0) {
                return null;
            }
            if (line == null || log.starts || log.connected) {
                line = ofAJob(log) ? log.lastLine : line;
            }
        }
        return line;
    }

    private boolean ofAJob(FileLog log) {
        boolean nccl =
                events.stream()
                        .filter(e -> e.file.equals(log.file))
                        .anyMatch(e -> STARTS.contains(e.id()));
        return nccl || log.starts || log.connected || log.prefixed && !log.kernel;
    }

    private boolean excerpt() {
        return logs.stream().anyMatch(l -> l.excerpt)
                && logs.stream().noneMatch(l -> l.worked || l.ended || l.testsPassedFromEnd >= 0);
    }

    private boolean recognised() {
        return !events.isEmpty() || logs.stream().anyMatch(IncidentBuilder::known);
    }

    /** Words such as checkpoint are in prose, too; a number of steps or a bar is not. */
    private static boolean known(FileLog log) {
        Progress last = log.last;
        boolean works =
                last != null
                        && (last.step() != null
                                || last.barSeconds() != null
                                || last.stage().equals("train"));
        return works
                || log.prefixed && !log.kernel
                || log.worked
                || log.ended
                || log.starts
                || log.connected
                || log.testsPassedFromEnd >= 0;
    }

    private boolean kindSeen(Kind kind) {
        return events.stream().anyMatch(e -> e.signature.kind() == kind);
    }

    private record Shown(Progress progress, Integer rank) {}

    /**
     * The progress line that tells most: of a rank that did not time out, and not plain training.
     */
    private Shown shown(Set<Integer> timedOut) {
        Shown best = new Shown(null, null);
        int bestWeight = -1;
        for (FileLog log : logs) {
            for (Map.Entry<Integer, Progress> e : log.before.entrySet()) {
                if (e.getValue() == null) {
                    continue;
                }
                int weight = e.getValue().stage().equals("train") ? 0 : 2;
                weight += timedOut.contains(e.getKey()) ? 0 : 1;
                if (weight > bestWeight) {
                    bestWeight = weight;
                    Integer rank = e.getKey() < 0 ? null : e.getKey();
                    best = new Shown(e.getValue(), rank);
                }
            }
        }
        return best;
    }

    private static void add(Set<Integer> set, Integer rank) {
        if (rank != null) {
            set.add(rank);
        }
    }

    private static Double milliseconds(String digits) {
        Integer n = Prefix.number(digits);
        return n == null ? null : n / 1000.0;
    }

    private static Long least(Long known, String digits) {
        Integer n = Prefix.number(digits);
        return n == null
                ? known
                : known == null ? Long.valueOf(n) : Long.valueOf(Math.min(known, n));
    }

    /** Plain file names of what was read, for reports. */
    static String shortName(String file) {
        return Path.of(file).getFileName().toString();
    }
}
