package io.gpuflow.parse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.GpuMemoryErrors;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Reads {@code amd-smi metric -g all --json}, ROCm 6 and 7. */
public final class AmdSmiMetric implements Parser<AmdSmiMetric.Reading> {
    /** Power, heat, clocks, links and ECC counters at the time of the call. */
    public record Reading(
            List<GpuHealth> health,
            List<GpuMemoryErrors> memoryErrors,
            List<PcieLink> pcieLinks,
            String error,
            List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            List<Fact> facts = new ArrayList<>();
            List.of(health, memoryErrors, pcieLinks).forEach(facts::addAll);
            Source source = Source.of(sourceName);
            return facts.stream().map(f -> new Observed(f, source)).toList();
        }
    }

    @Override
    public String kind() {
        return "amd-smi-metric";
    }

    @Override
    public int recognises(String head) {
        boolean ours = head.contains("\"gpu\"") && head.contains("\"usage\"");
        return ours && head.contains("\"power\"") ? 95 : 0;
    }

    @Override
    public Reading parse(String text) {
        JsonNode document;
        try {
            document = AmdJson.read(text);
        } catch (JsonProcessingException e) {
            List<String> lines =
                    Lines.of(text).stream().filter(l -> !l.isBlank()).limit(100).toList();
            return new Reading(List.of(), List.of(), List.of(), e.getOriginalMessage(), lines);
        }
        List<JsonNode> gpus = AmdJson.gpus(document);
        return new Reading(
                gpus.stream().map(AmdSmiMetric::health).toList(),
                gpus.stream().map(AmdSmiMetric::memoryErrors).toList(),
                gpus.stream().map(AmdSmiMetric::pcieLink).toList(),
                gpus.isEmpty() ? "no GPU listed" : null,
                AmdJson.before(text));
    }

    private static GpuHealth health(JsonNode gpu) {
        return new GpuHealth(
                gpu.get("gpu").intValue(),
                Quantity.whole(AmdJson.at(gpu, "temperature/hotspot", "temperature/edge")),
                null,
                Quantity.number(
                        AmdJson.at(gpu, "power/socket_power", "power/current_socket_power")),
                null,
                null,
                Quantity.whole(AmdJson.at(gpu, "clock/gfx_0/clk", "clock/GFX_0/clk")),
                Quantity.whole(AmdJson.at(gpu, "clock/gfx_0/max_clk", "clock/GFX_0/max_clk")),
                null,
                throttleReasons(gpu.path("throttle")),
                Quantity.whole(AmdJson.at(gpu, "usage/gfx_activity", "usage/gfx_usage")),
                Quantity.bytes(AmdJson.at(gpu, "mem_usage/used_vram")));
    }

    private static GpuMemoryErrors memoryErrors(JsonNode gpu) {
        return new GpuMemoryErrors(
                gpu.get("gpu").intValue(),
                null,
                Quantity.count(AmdJson.at(gpu, "ecc/total_uncorrectable_count")),
                null,
                Quantity.count(AmdJson.at(gpu, "ecc/total_correctable_count")),
                null,
                null,
                null,
                null);
    }

    private static PcieLink pcieLink(JsonNode gpu) {
        return new PcieLink(
                gpu.get("gpu").intValue(),
                Quantity.pcieGeneration(Quantity.number(AmdJson.at(gpu, "pcie/speed"))),
                null,
                Quantity.whole(AmdJson.at(gpu, "pcie/width")),
                null);
    }

    /**
     * Names of violations that are active now ("ppt", "socket_thermal"); null when none is told.
     */
    private static List<String> throttleReasons(JsonNode throttle) {
        List<String> active = new ArrayList<>();
        boolean told = false;
        for (Iterator<String> names = throttle.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!name.endsWith("_violation_status")) {
                continue;
            }
            Boolean on = Quantity.flag(AmdJson.text(throttle.get(name)));
            told |= on != null;
            String reason = name.substring(0, name.length() - "_violation_status".length());
            if (Boolean.TRUE.equals(on) && !reason.equals("low_utilization")) {
                active.add(reason);
            }
        }
        return told ? active : null;
    }
}
