package io.gpuflow.parse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.gpuflow.facts.Driver;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.GpuMode;
import io.gpuflow.facts.HipOrder;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads {@code amd-smi static -g all --json} and {@code amd-smi list -e --json}, ROCm 6 and 7. */
public final class AmdSmiStatic implements Parser<AmdSmiStatic.Reading> {
    /**
     * What does not change while the machine runs.
     *
     * @param limits power and slow-down limits; the rest of each is null
     * @param pcieLinks what each link can do; the present state is in amd-smi metric
     * @param hipIds HIP's number of each GPU where the tool tells it, else null
     */
    public record Reading(
            String driverVersion,
            List<Gpu> gpus,
            List<GpuMode> modes,
            List<GpuHealth> limits,
            List<PcieLink> pcieLinks,
            List<Integer> hipIds,
            String error,
            List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            List<Fact> facts = new ArrayList<>();
            if (driverVersion != null) {
                facts.add(new Driver("amd", driverVersion, null));
            }
            List.of(gpus, modes, limits, pcieLinks).forEach(facts::addAll);
            if (!gpus.isEmpty() && !hipIds.contains(null)) {
                facts.add(new HipOrder(hipOrder()));
            }
            Source source = Source.of(sourceName);
            return facts.stream().map(f -> new Observed(f, source)).toList();
        }

        /** GPU indexes in the order of HIP's numbers. */
        private List<Integer> hipOrder() {
            return IntStream.range(0, gpus.size())
                    .boxed()
                    .sorted(Comparator.comparing(hipIds::get))
                    .map(i -> gpus.get(i).index())
                    .toList();
        }
    }

    @Override
    public String kind() {
        return "amd-smi-static";
    }

    @Override
    public int recognises(String head) {
        if (!head.contains("\"gpu\"")) {
            return 0;
        }
        boolean whole = head.contains("\"asic\"") && head.contains("\"market_name\"");
        return whole ? 95 : head.contains("\"kfd_id\"") ? 85 : 0;
    }

    @Override
    public Reading parse(String text) {
        JsonNode document;
        try {
            document = AmdJson.read(text);
        } catch (JsonProcessingException e) {
            List<String> lines =
                    Lines.of(text).stream().filter(l -> !l.isBlank()).limit(100).toList();
            return new Reading(
                    null,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    e.getOriginalMessage(),
                    lines);
        }
        List<JsonNode> gpus = AmdJson.gpus(document);
        return new Reading(
                gpus.stream()
                        .map(AmdSmiStatic::driver)
                        .filter(d -> d != null)
                        .findFirst()
                        .orElse(null),
                gpus.stream().map(AmdSmiStatic::gpu).toList(),
                gpus.stream().map(AmdSmiStatic::mode).filter(m -> m.partition() != null).toList(),
                gpus.stream().map(AmdSmiStatic::limits).filter(AmdSmiStatic::says).toList(),
                gpus.stream()
                        .map(AmdSmiStatic::pcieLink)
                        .filter(p -> p.widthMax() != null)
                        .toList(),
                nullable(gpus.stream().map(g -> Quantity.whole(AmdJson.at(g, "hip_id")))),
                gpus.isEmpty() ? "no GPU listed" : null,
                AmdJson.before(text));
    }

    private static Gpu gpu(JsonNode gpu) {
        return new Gpu(
                gpu.get("gpu").intValue(),
                "amd",
                AmdJson.at(gpu, "asic/market_name"),
                AmdJson.at(gpu, "hip_uuid", "uuid"),
                PciAddress.of(AmdJson.at(gpu, "bus/bdf", "bdf")),
                Quantity.bytes(AmdJson.at(gpu, "vram/size")),
                AmdJson.at(gpu, "asic/target_graphics_version"),
                Quantity.whole(AmdJson.at(gpu, "numa/node")));
    }

    private static GpuMode mode(JsonNode gpu) {
        String partition =
                AmdJson.at(gpu, "partition/accelerator_partition", "partition/compute_partition");
        return new GpuMode(gpu.get("gpu").intValue(), null, null, null, partition);
    }

    private static GpuHealth limits(JsonNode gpu) {
        return new GpuHealth(
                gpu.get("gpu").intValue(),
                null,
                Quantity.whole(AmdJson.at(gpu, "limit/slowdown_hotspot_temperature")),
                null,
                Quantity.number(
                        AmdJson.at(gpu, "limit/socket_power", "limit/ppt0/socket_power_limit")),
                Quantity.number(AmdJson.at(gpu, "limit/max_power", "limit/ppt0/max_power_limit")),
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static boolean says(GpuHealth limits) {
        return limits.slowdownTemperatureC() != null || limits.powerLimitW() != null;
    }

    private static PcieLink pcieLink(JsonNode gpu) {
        return new PcieLink(
                gpu.get("gpu").intValue(),
                null,
                Quantity.pcieGeneration(Quantity.number(AmdJson.at(gpu, "bus/max_pcie_speed"))),
                null,
                Quantity.whole(AmdJson.at(gpu, "bus/max_pcie_width")));
    }

    /** Some versions put the kernel's banner, without blanks, where the version belongs. */
    private static String driver(JsonNode gpu) {
        String version = AmdJson.at(gpu, "driver/version", "driver/driver_version");
        return version != null && version.startsWith("Linuxversion") ? null : version;
    }

    private static <T> List<T> nullable(Stream<T> values) {
        return values.collect(Collectors.toCollection(ArrayList::new));
    }
}
