package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.SmokeRank;
import io.gpuflow.facts.SmokeRun;
import io.gpuflow.facts.Source;
import io.gpuflow.parse.GpuflowLines.Event;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the smoke test's output says.
 *
 * @param visibleGpus GPUs that torch sees; 0 on the CPU; null when no rank has started
 * @param stage furthest stage that all ranks reached
 * @param finished every rank is done
 * @param pids of the ranks
 * @param rasAddresses of the ranks, where NCCL's RAS answers for the whole job
 */
public record SmokeReport(
        String backend,
        int worldSize,
        Integer visibleGpus,
        String stage,
        boolean finished,
        String torch,
        String python,
        Map<Integer, Long> pids,
        Map<Integer, String> rasAddresses,
        List<Noted> notes,
        String error,
        List<String> unparsed)
        implements Report {

    static SmokeReport without(String error, List<String> unparsed) {
        return new SmokeReport(
                null, 0, null, "none", false, null, null, Map.of(), Map.of(), List.of(), error,
                unparsed);
    }

    static SmokeReport of(List<Noted> ranks, List<Event> events, List<String> unparsed) {
        String backend = null;
        Integer visible = null;
        String torch = null;
        String python = null;
        Map<Integer, Long> pids = new TreeMap<>();
        Map<Integer, String> ras = new TreeMap<>();
        for (Event event : events) {
            if (event.is("stage") && "start".equals(event.text("stage"))) {
                backend = event.text("backend");
                visible = event.whole("visible");
            } else if (event.is("torch")) {
                torch = event.text("version");
            } else if (event.is("python")) {
                python = event.text("version");
            } else if (event.is("armed") && event.rank() != null) {
                String address = event.json().path("env").path("NCCL_RAS_ADDR").asText("");
                ras.put(event.rank(), address);
            }
            if (event.rank() != null && event.large("pid") != null) {
                pids.put(event.rank(), event.large("pid"));
            }
        }
        int least = SmokeOutput.STAGES.size() - 1;
        for (Noted note : ranks) {
            String stage = ((SmokeRank) note.fact()).stage();
            least = Math.min(least, SmokeOutput.STAGES.indexOf(stage));
        }
        return new SmokeReport(
                backend,
                ranks.size(),
                visible,
                SmokeOutput.STAGES.get(least),
                least == SmokeOutput.STAGES.size() - 1,
                torch,
                python,
                pids,
                ras,
                ranks,
                null,
                unparsed);
    }

    public List<SmokeRank> ranks() {
        return notes.stream().map(n -> (SmokeRank) n.fact()).toList();
    }

    /** Line of this rank's first error, else of its last stage; 0 when it printed nothing. */
    public int lineOf(int rank) {
        return notes.stream()
                .filter(n -> ((SmokeRank) n.fact()).rank() == rank)
                .mapToInt(Noted::line)
                .findFirst()
                .orElse(0);
    }

    @Override
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("backend", backend);
        values.put("world_size", worldSize);
        values.put("visible_gpus", visibleGpus);
        values.put("stage", stage);
        values.put("finished", finished);
        values.put("torch", torch);
        values.put("python", python);
        List<Object> ranks = new ArrayList<>();
        ranks().forEach(rank -> ranks.add(RecordValues.of(rank)));
        values.put("ranks", ranks);
        if (error != null) {
            values.put("error", error);
        }
        return values;
    }

    /**
     * The ranks, and the run as far as its output tells it: how its launcher ended, only the step
     * knows.
     */
    @Override
    public List<Observed> facts(String sourceName) {
        if (error != null) {
            return List.of();
        }
        List<Observed> facts = new ArrayList<>(Noted.from(notes, sourceName));
        SmokeRun run =
                new SmokeRun(
                        backend,
                        worldSize,
                        visibleGpus == null ? 0 : visibleGpus,
                        finished,
                        null,
                        stage,
                        null,
                        null,
                        null,
                        null,
                        null);
        facts.add(new Observed(run, Source.of(sourceName)));
        return facts;
    }
}
