package io.gpuflow.parse;

import io.gpuflow.facts.Driver;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Reads {@code nvidia-smi --query-gpu=… --format=csv}, whichever columns were asked for. */
public final class NvidiaSmiCsv implements Parser<NvidiaSmiCsv.Reading> {
    /** A map from column ("memory.total", without its unit) to cell for each GPU. */
    public record Reading(List<Map<String, String>> rows, String error, List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            List<Fact> facts = new ArrayList<>();
            rows.stream().map(Reading::gpu).filter(Objects::nonNull).forEach(facts::add);
            rows.stream()
                    .map(r -> Quantity.word(r.get("driver_version")))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .ifPresent(v -> facts.add(new Driver("nvidia", v, null)));
            Source source = Source.of(sourceName);
            return facts.stream().map(f -> new Observed(f, source)).toList();
        }

        private static Gpu gpu(Map<String, String> row) {
            Integer index = Quantity.whole(row.get("index"));
            if (index == null) {
                return null;
            }
            return new Gpu(
                    index,
                    "nvidia",
                    Quantity.word(row.get("name")),
                    Quantity.word(row.get("uuid")),
                    PciAddress.of(row.get("pci.bus_id")),
                    Quantity.bytes(row.get("memory.total")),
                    Quantity.word(row.get("compute_cap")),
                    null);
        }
    }

    @Override
    public String kind() {
        return "nvidia-smi-csv";
    }

    @Override
    public int recognises(String head) {
        String first = Lines.of(head).stream().filter(l -> !l.isBlank()).findFirst().orElse("");
        List<String> columns = cells(first);
        boolean named = columns.stream().allMatch(c -> c.matches("[a-z][a-z0-9_.]*( \\[\\S+\\])?"));
        boolean gpu =
                columns.contains("index") || columns.contains("uuid") || first.contains("gpu");
        return named && gpu && columns.size() > 1 ? 80 : first.startsWith("Field \"") ? 60 : 0;
    }

    @Override
    public Reading parse(String text) {
        List<String> columns = null;
        List<Map<String, String>> rows = new ArrayList<>();
        List<String> unparsed = new ArrayList<>();
        for (String line : Lines.of(text)) {
            List<String> cells = cells(line);
            if (line.isBlank()) {
                continue;
            }
            if (columns == null && cells.size() > 1) {
                columns = cells.stream().map(c -> c.replaceAll(" \\[.*\\]$", "")).toList();
            } else if (columns != null && cells.size() == columns.size()) {
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < cells.size(); i++) {
                    row.put(columns.get(i), cells.get(i));
                }
                rows.add(row);
            } else {
                unparsed.add(line);
            }
        }
        String error = null;
        if (rows.isEmpty()) {
            error = unparsed.isEmpty() ? "no GPU listed" : unparsed.get(0).strip();
        }
        return new Reading(rows, error, unparsed);
    }

    private static List<String> cells(String line) {
        return Stream.of(line.split(",", -1)).map(String::strip).toList();
    }
}
