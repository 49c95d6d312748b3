package io.gpuflow.parse;

import io.gpuflow.facts.Bench;
import io.gpuflow.facts.BenchRow;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What gpuflow's own benchmark measured.
 *
 * @param op collective, in nccl-tests' words
 * @param completed it came to its end in order
 * @param why why larger sizes were left out, or null
 */
public record TorchBenchReport(
        String op,
        Integer ranks,
        String backend,
        String torch,
        boolean completed,
        String why,
        List<Noted> notes,
        String error,
        List<String> unparsed)
        implements Report {

    public List<BenchRow> rows() {
        return notes.stream().map(n -> (BenchRow) n.fact()).toList();
    }

    @Override
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("test", op);
        values.put("ranks", ranks);
        values.put("backend", backend);
        values.put("torch", torch);
        List<Object> bench = new ArrayList<>();
        rows().forEach(row -> bench.add(RecordValues.of(row)));
        values.put("rows", rows().size());
        values.put("avg_busbw", average(rows()));
        values.put("max_busbw", peak());
        values.put("wrong_total", wrong());
        values.put("completed", completed);
        if (why != null) {
            values.put("why", why);
        }
        if (error != null) {
            values.put("error", error);
        }
        values.put("bench", bench);
        return values;
    }

    @Override
    public List<Observed> facts(String sourceName) {
        if (notes.isEmpty()) {
            return List.of();
        }
        List<Observed> facts = new ArrayList<>(Noted.from(notes, sourceName));
        BenchRow last = rows().get(rows().size() - 1);
        Bench bench =
                new Bench(
                        TorchBench.TOOL,
                        op,
                        ranks == null ? 0 : ranks,
                        peak(),
                        average(rows()),
                        average(rows().stream().filter(r -> r.bytes() == last.bytes()).toList()),
                        last.bytes(),
                        wrong(),
                        null,
                        completed);
        Noted largest = notes.get(notes.size() - 1);
        facts.add(new Observed(bench, new Source(sourceName, largest.line(), largest.excerpt())));
        return facts;
    }

    private Double peak() {
        return rows().stream()
                .map(BenchRow::busbwGbps)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .orElse(null);
    }

    /**
     * The mean, or null. Over all sizes, which nccl-tests prints too, it says little; over one size
     * it is that of both forms, out of place and in place, as for nccl-tests.
     */
    private static Double average(List<BenchRow> rows) {
        List<Double> all = rows.stream().map(BenchRow::busbwGbps).filter(Objects::nonNull).toList();
        if (all.isEmpty()) {
            return null;
        }
        double mean = all.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        return Math.round(mean * 10_000) / 10_000.0;
    }

    private Long wrong() {
        boolean all = !notes.isEmpty() && rows().stream().allMatch(r -> r.wrong() != null);
        return all ? (Long) rows().stream().mapToLong(BenchRow::wrong).sum() : null;
    }
}
