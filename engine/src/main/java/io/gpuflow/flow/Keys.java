package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Makes the keys that decide whether an earlier result of a step still holds. */
final class Keys {
    /** Readings that change by themselves: a warmer GPU is no reason to run a benchmark again. */
    private static final Set<String> VOLATILE = Set.of("GpuHealth", "GpuProcess", "KernelEvent");

    private static final Pattern ENVIRONMENT =
            Pattern.compile(
                    Attempts.TELLING.pattern()
                            + "|PYTHONPATH|LD_LIBRARY_PATH|LD_PRELOAD|VIRTUAL_ENV|CONDA_PREFIX");

    private final RunState run;
    private Map<String, String> machine;

    Keys(RunState run) {
        this.run = run;
    }

    StepKey of(Step step, List<Prepared> points) {
        Map<String, String> facts = Map.of();
        if (step.work() instanceof Work.Uses) {
            facts = factHashes(run.results().factsFor(step));
        }
        return new StepKey(hash(text(step)), inputs(points), facts, machine());
    }

    /** All of the step's text that its result depends on, in one fixed form. */
    private static List<Object> text(Step step) {
        List<Object> text = new ArrayList<>();
        if (step.work() instanceof Work.Uses uses) {
            text.add("uses");
            text.add(uses.action());
            text.add(fixed(uses.with()));
        } else if (step.work() instanceof Work.Cmd cmd) {
            text.add("cmd");
            text.add(cmd.argv().toString());
            text.add(reading(cmd.reading()));
        } else if (step.work() instanceof Work.Sh sh) {
            text.add("sh");
            text.add(sh.script());
            text.add(reading(sh.reading()));
        }
        text.add(fixed(step.env()));
        text.add(step.matrix() == null ? "" : fixed(step.matrix().axes()));
        text.add(step.effect().word());
        text.add(fixed(step.outputs()));
        return text;
    }

    private static Object reading(Work.Reading reading) {
        if (reading == null) {
            return "";
        }
        Extract extract = reading.extract();
        return extract == null
                ? String.valueOf(reading.parse())
                : List.of(
                        extract.patterns().toString(),
                        fixed(extract.types()),
                        fixed(extract.json()));
    }

    private static String fixed(Map<String, ?> map) {
        return new TreeMap<>(map).toString();
    }

    private Map<String, String> inputs(List<Prepared> points) {
        Map<String, List<Object>> values = new TreeMap<>();
        for (Prepared point : points) {
            point.matrix().forEach((name, value) -> add(values, "matrix." + name, value));
            point.with().forEach((name, value) -> add(values, "with." + name, content(value)));
            point.env().forEach((name, value) -> add(values, "env." + name, value));
            add(values, "command", point.argv());
        }
        run.setup()
                .machine()
                .environment()
                .forEach(
                        (name, value) -> {
                            if (ENVIRONMENT.matcher(name).matches()) {
                                add(values, "environment." + name, value);
                            }
                        });
        Map<String, String> hashes = new TreeMap<>();
        values.forEach((name, list) -> hashes.put(name, hash(list)));
        return hashes;
    }

    private static void add(Map<String, List<Object>> values, String name, Object value) {
        values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
    }

    /** For a file that was given as an input, what is in it counts too. */
    private Object content(Object value) {
        for (Input input : run.setup().workflow().inputs().values()) {
            boolean file = input.type() == Input.Type.FILE;
            if (file && value != null && value.equals(run.setup().inputs().get(input.name()))) {
                FileResult read = run.setup().machine().read(value.toString());
                return List.of(value.toString(), read.ok() ? read.text() : "");
            }
        }
        return value;
    }

    static Map<String, String> factHashes(List<Observed> facts) {
        Map<String, List<String>> lines = new TreeMap<>();
        for (Observed observed : facts) {
            String type = observed.fact().getClass().getSimpleName();
            if (!VOLATILE.contains(type)) {
                lines.computeIfAbsent(type, t -> new ArrayList<>())
                        .add(RecordJson.line(RecordJson.tree(observed.fact())));
            }
        }
        Map<String, String> hashes = new TreeMap<>();
        lines.forEach((type, list) -> hashes.put(type, shortHash(sorted(list).toString())));
        return hashes;
    }

    private static List<String> sorted(List<String> lines) {
        lines.sort(null);
        return lines;
    }

    /** A secret counts by its mask: its hash could be guessed back. */
    private String hash(Object value) {
        return shortHash(RecordJson.line(run.setup().secrets().mask(RecordJson.anyTree(value))));
    }

    private static String shortHash(String text) {
        return FactFile.hash(text).substring(0, 16);
    }

    private synchronized Map<String, String> machine() {
        if (machine == null) {
            Tools tools = run.setup().machine();
            machine = new TreeMap<>();
            machine.put("gpuflow", run.setup().version());
            machine.put("machine", tools.name());
            put("boot", tools.read("/proc/sys/kernel/random/boot_id"));
            put("NVIDIA driver", tools.read("/sys/module/nvidia/version"));
            put("AMD driver", tools.read("/sys/module/amdgpu/version"));
        }
        return machine;
    }

    private void put(String name, FileResult file) {
        if (file.ok()) {
            machine.put(name, file.text().strip());
        }
    }
}
