package io.gpuflow.scan;

import io.gpuflow.scan.Signature.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which logs are of one job. They are taken to be, unless something says that they are not: another
 * number of the scheduler, the same rank in another process, failures days apart, or failures that
 * nothing connects in logs that nobody named one by one.
 */
final class Jobs {
    private static final Pattern NUMBER_IN_NAME =
            Pattern.compile(
                    "(?:slurm|job)[-_.]?(\\d{3,12})|[-_.](\\d{4,12})\\.(?:out|err)$|\\.[oe](\\d{3,12})$");

    private static final double FAR_APART = 24 * 3_600;
    private static final double TOGETHER = 600;

    /** What a log tells of the job that it is of. */
    private record Mark(
            FileLog log,
            String number,
            Map<Integer, String> processes,
            Set<Integer> ranks,
            Set<String> faults,
            Set<String> hosts,
            Double from,
            Double to) {

        boolean telling() {
            return !faults.isEmpty() || !processes.isEmpty() || number != null || !ranks.isEmpty();
        }
    }

    private final Set<String> named;

    private Jobs(Set<String> named) {
        this.named = named;
    }

    /**
     * @param named files that were named one by one: whoever does so says that they belong together
     * @return the logs by job; one entry when nothing speaks against one job
     */
    static List<List<FileLog>> of(List<FileLog> logs, Set<String> named) {
        Jobs jobs = new Jobs(named);
        List<Mark> telling = new ArrayList<>();
        List<FileLog> silent = new ArrayList<>();
        for (FileLog log : logs) {
            Mark mark = mark(log);
            if (mark.telling()) {
                telling.add(mark);
            } else {
                silent.add(log);
            }
        }
        List<List<Mark>> groups = new ArrayList<>();
        telling.forEach(m -> jobs.place(m, groups));
        if (groups.size() < 2) {
            return List.of(logs);
        }
        List<List<FileLog>> found = new ArrayList<>();
        groups.forEach(g -> found.add(new ArrayList<>(g.stream().map(Mark::log).toList())));
        silent.forEach(log -> join(log, found));
        return found;
    }

    /** A log that tells of no job goes to the jobs of its folder, else to all. */
    private static void join(FileLog log, List<List<FileLog>> groups) {
        List<List<FileLog>> beside =
                groups.stream().filter(g -> g.stream().anyMatch(l -> beside(l, log))).toList();
        (beside.isEmpty() ? groups : beside).forEach(g -> g.add(log));
    }

    private static boolean beside(FileLog a, FileLog b) {
        return folder(a.file).equals(folder(b.file));
    }

    static String folder(String file) {
        return file.substring(0, Math.max(0, file.lastIndexOf('/')));
    }

    private void place(Mark mark, List<List<Mark>> groups) {
        for (List<Mark> group : groups) {
            if (group.stream().noneMatch(m -> apart(m, mark))) {
                group.add(mark);
                return;
            }
        }
        groups.add(new ArrayList<>(List.of(mark)));
    }

    private boolean apart(Mark a, Mark b) {
        if (a.number != null && b.number != null) {
            return !a.number.equals(b.number);
        }
        for (Map.Entry<Integer, String> e : a.processes.entrySet()) {
            String other = b.processes.get(e.getKey());
            if (other != null && !other.equals(e.getValue())) {
                return true;
            }
        }
        boolean timed = a.from != null && b.from != null;
        double gap = timed ? Math.max(a.from - b.to, b.from - a.to) : 0;
        if (gap > FAR_APART && a.ranks.stream().anyMatch(b.ranks::contains)) {
            return true;
        }
        return unconnected(a, b) && !(timed && gap < TOGETHER);
    }

    /** Two failures of different kinds, of nobody's rank, on nobody's host. */
    private boolean unconnected(Mark a, Mark b) {
        boolean chosen = named.contains(a.log.file) && named.contains(b.log.file);
        return !chosen
                && !a.faults.isEmpty()
                && !b.faults.isEmpty()
                && a.ranks.isEmpty()
                && b.ranks.isEmpty()
                && a.faults.stream().noneMatch(b.faults::contains)
                && a.hosts.stream().noneMatch(b.hosts::contains);
    }

    private static Mark mark(FileLog log) {
        String number = null;
        Matcher m = NUMBER_IN_NAME.matcher(Path.of(log.file).getFileName().toString());
        while (m.find()) {
            number = m.group(1) != null ? m.group(1) : m.group(2) != null ? m.group(2) : m.group(3);
        }
        Map<Integer, String> processes = new HashMap<>();
        Set<Integer> ranks = new TreeSet<>(log.ranks);
        Set<String> faults = new TreeSet<>();
        Set<String> hosts = new TreeSet<>();
        Double from = null;
        Double to = null;
        for (Event e : log.events) {
            if (e.id().equals(Collector.REPORT) && e.rank != null && e.pid != null) {
                processes.put(e.rank, e.host + ":" + e.pid);
            }
            if (e.signature.kind() == Kind.FAULT) {
                faults.add(e.id());
            }
            if (e.host != null) {
                hosts.add(e.host);
            }
            if (e.rank != null) {
                ranks.add(e.rank);
            }
            if (e.time != null) {
                from = from == null ? e.time : Double.valueOf(Math.min(from, e.time));
                to = to == null ? e.time : Double.valueOf(Math.max(to, e.time));
            }
        }
        processes(log, processes);
        return new Mark(log, number, processes, ranks, faults, hosts, from, to);
    }

    /** Which process each rank of the largest communicator is, in a log of several ranks. */
    private static void processes(FileLog log, Map<Integer, String> processes) {
        int world = 0;
        for (Event e : log.events) {
            Integer n = Prefix.number(e.values.get("nranks"));
            world = Math.max(world, n == null ? 0 : n);
        }
        Map<Integer, String> found = new HashMap<>();
        for (Event e : log.events) {
            Integer rank = Prefix.number(e.values.get("rank"));
            boolean whole = String.valueOf(world).equals(e.values.get("nranks"));
            if (whole && rank != null && e.pid != null && e.host != null) {
                found.putIfAbsent(rank, e.host + ":" + e.pid);
            }
        }
        if (found.size() > 1) {
            found.forEach(processes::putIfAbsent);
        }
    }

    /** Names for groups of files: what is special to each, else the first file. */
    static Map<String, List<FileLog>> names(List<List<FileLog>> groups) {
        Map<String, List<FileLog>> named = new LinkedHashMap<>();
        for (List<FileLog> group : groups) {
            String file = group.get(0).file;
            Set<String> folders = new TreeSet<>();
            group.forEach(l -> folders.add(folder(l.file)));
            boolean own =
                    folders.size() == 1
                            && groups.stream()
                                    .filter(g -> g != group)
                                    .flatMap(List::stream)
                                    .noneMatch(l -> folders.contains(folder(l.file)));
            String name = own && group.size() > 1 ? folders.iterator().next() : file;
            named.put(
                    named.containsKey(name) ? name + " (" + (named.size() + 1) + ")" : name, group);
        }
        return named;
    }
}
