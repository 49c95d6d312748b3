package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What nvidia-smi -L says.
 *
 * @param gpus by index, in the order printed
 */
record GpuListReport(
        Map<Integer, Entry> gpus, Failure failure, List<Noted> notes, List<String> unparsed)
        implements Report {

    /** One GPU; its MIG devices by profile, in the order printed. */
    record Entry(
            String name, String uuid, int line, List<String> migProfiles, List<String> migUuids) {}

    @Override
    public String error() {
        return failure == null ? null : failure.text();
    }

    @Override
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gpu_count", gpus.size());
        if (failure != null) {
            values.put("error", failure.id());
            values.put("error_text", failure.text());
            return values;
        }
        values.put("subkind", "list");
        List<String> names = new ArrayList<>();
        List<String> profiles = new ArrayList<>();
        for (Entry gpu : gpus.values()) {
            names.add(gpu.name());
            profiles.addAll(gpu.migProfiles());
        }
        values.put("names", names);
        values.put("mig_devices", profiles.size());
        values.put("mig_enabled", !profiles.isEmpty());
        if (!profiles.isEmpty()) {
            values.put("mig_profiles", profiles);
        }
        return values;
    }

    @Override
    public List<Observed> facts(String sourceName) {
        return Noted.from(notes, sourceName);
    }
}
