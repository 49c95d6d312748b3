package io.gpuflow.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuflow.advise.Candidate;
import io.gpuflow.advise.Request;
import io.gpuflow.advise.TrainingMachine;
import io.gpuflow.baseline.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What steps took that {@code advise --measure} ran, beside what was predicted: one JSON object a
 * line in gpuflow/measured-steps.jsonl of XDG_DATA_HOME (~/.local/share by default).
 */
final class MeasuredSteps {
    /** What is beyond is not read: a step of years is not this machine's any more. */
    private static final long LARGEST = 4 << 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;

    MeasuredSteps(Path file) {
        this.file = file;
    }

    static MeasuredSteps usual(Map<String, String> env) {
        return new MeasuredSteps(DataFolder.of(env).resolve("measured-steps.jsonl"));
    }

    Path file() {
        return file;
    }

    /**
     * A step that was run.
     *
     * @param predicted seconds, before any correction
     * @param measured seconds
     * @param predictedGib allocated at most, as torch counts it; null when not known
     * @param measuredGib likewise
     */
    record Step(
            String gpu,
            int gpus,
            String strategy,
            String precision,
            long parameters,
            double predicted,
            double measured,
            Double predictedGib,
            Double measuredGib) {

        /** Measured over predicted. */
        double factor() {
            return measured / predicted;
        }
    }

    static Step step(
            Request request, TrainingMachine machine, Candidate c, double measured, Double gib) {
        return new Step(
                machine.gpu(),
                machine.world(),
                c.layout().strategy(),
                c.workload().precision().word(),
                request.model().parameters().total(),
                c.stepSeconds(),
                measured,
                c.peak().allocated() / (double) (1L << 30),
                gib);
    }

    void add(Step step) throws IOException {
        Files.createDirectories(file.getParent());
        ObjectNode node = JSON.valueToTree(step);
        Files.writeString(
                file,
                JSON.writeValueAsString(node) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /**
     * The step that says most of a candidate: the same GPUs, number of them, strategy and
     * precision, the model nearest in size, the newest of those; null when there is none.
     */
    Step nearest(Request request, TrainingMachine machine, Candidate c) {
        Step best = null;
        for (Step s : all()) {
            boolean same =
                    s.gpu().equals(machine.gpu())
                            && s.gpus() == machine.world()
                            && s.strategy().equals(c.layout().strategy())
                            && s.precision().equals(c.workload().precision().word());
            long parameters = request.model().parameters().total();
            if (same && (best == null || distance(s, parameters) <= distance(best, parameters))) {
                best = s;
            }
        }
        return best;
    }

    /**
     * How much longer steps of any strategy took here than predicted, with the same GPUs, number of
     * them and precision: their geometric mean, each strategy once; null when there is none. A plan
     * that was not measured would else look better than those that were.
     */
    Double common(TrainingMachine machine, Candidate c) {
        Map<String, Step> newest = new TreeMap<>();
        for (Step s : all()) {
            if (s.gpu().equals(machine.gpu())
                    && s.gpus() == machine.world()
                    && s.precision().equals(c.workload().precision().word())) {
                newest.put(s.strategy(), s);
            }
        }
        return newest.isEmpty()
                ? null
                : Math.exp(
                        newest.values().stream()
                                .mapToDouble(s -> Math.log(s.factor()))
                                .average()
                                .orElseThrow());
    }

    private static double distance(Step step, long parameters) {
        return Math.abs(Math.log((double) step.parameters() / parameters));
    }

    /** Lines that can be read; others are passed over. */
    private List<Step> all() {
        List<Step> all = new ArrayList<>();
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) {
                return all;
            }
            for (String line : Files.readAllLines(file)) {
                Step step = read(line);
                if (step != null) {
                    all.add(step);
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return all;
    }

    private static Step read(String line) {
        try {
            JsonNode n = JSON.readTree(line);
            Step step = JSON.treeToValue(n, Step.class);
            boolean whole =
                    step != null
                            && step.gpu() != null
                            && step.strategy() != null
                            && step.precision() != null
                            && step.parameters() > 0
                            && step.predicted() > 0
                            && step.measured() > 0;
            return whole ? step : null;
        } catch (IOException e) {
            return null;
        }
    }
}
