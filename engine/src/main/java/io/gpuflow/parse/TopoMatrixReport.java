package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What nvidia-smi topo -m says. Maps are keyed by device label (GPU0) and keep the printed order.
 *
 * @param gpuCount GPUs that the text lists: 0 when the tool failed
 * @param gpuLinks labels to the other GPUs, in column order; SOC is written SYS; rows that were cut
 *     are left out
 * @param cpuAffinity null when the column is absent; a null value for an empty cell
 * @param nvlinkGroups null when the class is unknown
 * @param complete false when rows or cells are missing
 */
record TopoMatrixReport(
        int gpuCount,
        List<String> nics,
        Map<String, String> nicLegend,
        Map<String, List<String>> gpuLinks,
        Map<String, List<String>> gpuNicLinks,
        String linkClass,
        List<List<Integer>> nvlinkGroups,
        Map<String, String> cpuAffinity,
        Map<String, String> numaAffinity,
        Map<String, String> gpuNumaId,
        boolean complete,
        Failure failure,
        List<Noted> notes,
        List<String> unparsed)
        implements Report {

    @Override
    public String error() {
        return failure == null ? null : failure.text();
    }

    @Override
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gpu_count", gpuCount);
        values.put("link_class", linkClass);
        if (failure != null) {
            values.put("error", failure.id());
            values.put("error_text", failure.text());
            return values;
        }
        values.put("nic_count", nics.size());
        if (!nics.isEmpty()) {
            values.put("nics", nics);
        }
        if (!nicLegend.isEmpty()) {
            values.put("nic_legend", nicLegend);
        }
        values.put("gpu_links", Rows.joined(gpuLinks));
        if (!nics.isEmpty()) {
            values.put("gpu_nic_links", Rows.joined(gpuNicLinks));
        }
        values.put("nvlink_groups", nvlinkGroups);
        if (cpuAffinity != null) {
            values.put("cpu_affinity", cpuAffinity);
        }
        if (numaAffinity != null) {
            values.put("numa_affinity", numaAffinity);
        }
        if (gpuNumaId != null) {
            values.put("gpu_numa_id", gpuNumaId);
        }
        values.put("complete", complete);
        return values;
    }

    @Override
    public List<Observed> facts(String sourceName) {
        return Noted.from(notes, sourceName);
    }
}
