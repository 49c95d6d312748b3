package io.gpuflow.parse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Software;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Torch;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what the torch probe's own script prints: one line, {@code gpuflow-torch} and a JSON
 * object.
 */
public final class TorchReport implements Parser<TorchReport.Reading> {
    public static final String MARK = "gpuflow-torch ";

    /**
     * What one Python says.
     *
     * @param python the interpreter's own path
     * @param torch null when it has no torch
     * @param problem why torch could not be imported or asked, in Python's words
     * @param ncclLibraries paths of the NCCL or RCCL libraries that importing torch loaded
     */
    public record Reading(
            String python,
            String pythonVersion,
            Torch torch,
            String problem,
            List<String> ncclLibraries,
            String error,
            List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            List<Observed> facts = new ArrayList<>();
            Source source = Source.of(sourceName);
            if (torch != null) {
                facts.add(new Observed(torch, source));
                for (String path : ncclLibraries) {
                    String name = path.contains("librccl") ? "rccl" : "nccl";
                    facts.add(new Observed(new Software(name, torch.ncclVersion(), path), source));
                }
            }
            return facts;
        }
    }

    @Override
    public String kind() {
        return "torch-report";
    }

    @Override
    public int recognises(String head) {
        return head.lines().anyMatch(l -> l.startsWith(MARK + "{")) ? 95 : 0;
    }

    @Override
    public Reading parse(String text) {
        List<String> other = new ArrayList<>();
        JsonNode report = null;
        for (String line : Lines.of(text)) {
            if (line.startsWith(MARK) && report == null) {
                try {
                    report = AmdJson.read(line.substring(MARK.length()));
                } catch (JsonProcessingException e) {
                    other.add(line);
                }
            } else if (!line.isBlank()) {
                other.add(line);
            }
        }
        if (report == null || !report.isObject()) {
            String why = other.isEmpty() ? "printed nothing" : other.get(other.size() - 1).trim();
            return new Reading(null, null, null, null, List.of(), why, other);
        }
        return new Reading(
                text(report, "python"),
                text(report, "python_version"),
                torch(report),
                text(report, "problem"),
                list(report, "nccl_libraries"),
                null,
                other);
    }

    private static Torch torch(JsonNode report) {
        if (text(report, "torch") == null) {
            return null;
        }
        return new Torch(
                text(report, "torch"),
                text(report, "cuda"),
                text(report, "hip"),
                report.path("device_count").isInt() ? report.get("device_count").intValue() : null,
                flag(report, "distributed"),
                flag(report, "nccl"),
                text(report, "nccl_version"),
                flag(report, "gloo"),
                report.path("arch_list").isArray() ? list(report, "arch_list") : null,
                text(report, "python"));
    }

    private static String text(JsonNode report, String name) {
        return report.path(name).isTextual() ? report.get(name).textValue() : null;
    }

    private static Boolean flag(JsonNode report, String name) {
        return report.path(name).isBoolean() ? report.get(name).booleanValue() : null;
    }

    private static List<String> list(JsonNode report, String name) {
        List<String> values = new ArrayList<>();
        report.path(name).forEach(v -> values.add(v.asText()));
        return values;
    }
}
