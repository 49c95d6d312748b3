package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Limit;
import io.gpuflow.facts.Observed;
import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The limits of this process's control group, version 1 and 2: the tightest of the group and all
 * groups above it that can be seen.
 */
final class CgroupProbe implements Probe {
    private static final String ROOT = "/sys/fs/cgroup";

    /** Groups nest a few levels deep; more than this is a mistake. */
    private static final int MAX_LEVELS = 24;

    /** Version 1 writes "no limit" as 2⁶³ rounded down to a page. */
    private static final long UNLIMITED = 1L << 60;

    @Override
    public String name() {
        return "cgroup";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of();
    }

    @Override
    public List<Observed> ask(Tools tools) {
        FileResult self = tools.read("/proc/self/cgroup");
        if (!self.ok()) {
            return unknown(Failure.of(self), "/proc/self/cgroup");
        }
        Map<String, String> groups = groups(self.text());
        Reading reading = new Reading(tools);
        reading.unlimitedByDefault(groups);
        for (String folder : folders(ROOT, groups.get(""))) {
            reading.memory(folder + "/memory.max");
            reading.pids(folder + "/pids.max");
            reading.cpuMax(folder + "/cpu.max");
        }
        for (String folder : folders(ROOT + "/memory", groups.get("memory"))) {
            reading.memory(folder + "/memory.limit_in_bytes");
        }
        for (String folder : folders(ROOT + "/pids", groups.get("pids"))) {
            reading.pids(folder + "/pids.max");
        }
        for (String folder : folders(ROOT + "/cpu", groups.get("cpu"))) {
            reading.cpuQuota(folder);
        }
        return reading.facts();
    }

    /** Path by controller; the unified hierarchy of version 2 has the empty name. */
    private static Map<String, String> groups(String text) {
        Map<String, String> groups = new TreeMap<>();
        for (String line : text.lines().limit(100).toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && !parts[2].contains("..")) {
                for (String controller : parts[1].split(",")) {
                    groups.put(controller, parts[2].strip());
                }
            }
        }
        return groups;
    }

    /** The group's folder and all above it; a container often sees only the top one. */
    private static Set<String> folders(String mount, String path) {
        Set<String> folders = new LinkedHashSet<>();
        if (path == null) {
            return folders;
        }
        String rest = path.equals("/") ? "" : path;
        for (int i = 0; i < MAX_LEVELS && !rest.isEmpty(); i++) {
            folders.add(mount + rest);
            rest = rest.substring(0, rest.lastIndexOf('/'));
        }
        folders.add(mount);
        return folders;
    }

    private static List<Observed> unknown(String why, String source) {
        return List.of(
                Answer.unknown("Limit(cgroup_memory)", why, source),
                Answer.unknown("Limit(cgroup_cpus)", why, source),
                Answer.unknown("Limit(cgroup_pids)", why, source));
    }

    /** The tightest values so far. */
    private static final class Reading {
        private final Tools tools;
        private final Map<String, Long> tightest = new TreeMap<>();
        private final Map<String, String> sources = new TreeMap<>();

        Reading(Tools tools) {
            this.tools = tools;
        }

        /**
         * Where a controller is at work but no group sets a limit, there is none: version 2 names
         * the controllers that are, version 1 has no limit files in the topmost group.
         */
        void unlimitedByDefault(Map<String, String> groups) {
            String controllers = ROOT + "/cgroup.controllers";
            FileResult two = tools.read(controllers);
            List<String> words = two.ok() ? List.of(two.text().strip().split("\\s+")) : List.of();
            for (String controller : List.of("memory", "pids", "cpu")) {
                String name = controller.equals("cpu") ? "cgroup_cpus" : "cgroup_" + controller;
                if (groups.containsKey("") && words.contains(controller)) {
                    take(name, -1L, controllers);
                } else if ("/".equals(groups.get(controller))) {
                    take(name, -1L, "/proc/self/cgroup");
                }
            }
        }

        void memory(String path) {
            take("cgroup_memory", number(tools.read(path)), path);
        }

        void pids(String path) {
            take("cgroup_pids", number(tools.read(path)), path);
        }

        /** "max 100000" or "250000 100000": time a period, both in µs. */
        void cpuMax(String path) {
            FileResult file = tools.read(path);
            String[] words = file.ok() ? file.text().strip().split("\\s+") : new String[0];
            if (words.length == 2) {
                cpus(number(words[0]), number(words[1]), path);
            }
        }

        void cpuQuota(String folder) {
            String path = folder + "/cpu.cfs_quota_us";
            Long quota = number(tools.read(path));
            if (quota != null) {
                cpus(quota, number(tools.read(folder + "/cpu.cfs_period_us")), path);
            }
        }

        private void cpus(Long quota, Long period, String path) {
            if (quota != null && quota < 0) {
                take("cgroup_cpus", -1L, path);
            } else if (quota != null && period != null && period > 0) {
                take("cgroup_cpus", quota / period, path);
            }
        }

        private void take(String name, Long value, String path) {
            if (value == null) {
                return;
            }
            Long old = tightest.get(name);
            boolean tighter = old == null || value >= 0 && (old < 0 || value < old);
            if (tighter) {
                tightest.put(name, value);
                sources.put(name, path);
            }
        }

        private static Long number(FileResult file) {
            return file.ok() ? number(file.text().strip()) : null;
        }

        private static Long number(String word) {
            if (word.equals("max") || word.equals("-1")) {
                return -1L;
            }
            if (!word.matches("\\d{1,19}")) {
                return null;
            }
            boolean huge = word.length() > 18 || Long.parseLong(word) >= UNLIMITED;
            return huge ? -1L : Long.valueOf(word);
        }

        List<Observed> facts() {
            List<Observed> facts = new ArrayList<>();
            Map<String, String> units =
                    new TreeMap<>(
                            Map.of(
                                    "cgroup_memory", "bytes",
                                    "cgroup_cpus", "cpus",
                                    "cgroup_pids", "processes"));
            units.forEach(
                    (name, unit) -> {
                        if (tightest.containsKey(name)) {
                            Limit limit = new Limit(name, tightest.get(name), unit);
                            facts.add(Answer.known(limit, sources.get(name)));
                        } else {
                            String why = "no group under " + ROOT + " tells it";
                            facts.add(Answer.unknown("Limit(" + name + ")", why, ROOT));
                        }
                    });
            return facts;
        }
    }
}
