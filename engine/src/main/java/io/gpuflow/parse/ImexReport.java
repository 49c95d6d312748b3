package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What nvidia-imex-ctl says.
 *
 * @param domainState UP, DOWN or DEGRADED; null when not printed
 * @param nodes state by node number
 * @param allConnected true when every cell of the connectivity table is C; null without a table
 * @param daemonStatus the word that -q prints; null when the domain was asked instead
 */
record ImexReport(
        String domainState,
        Map<String, String> nodes,
        int nodesReady,
        List<String> versions,
        Boolean allConnected,
        String daemonStatus,
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
        if (failure != null) {
            values.put("error", failure.id());
            values.put("error_text", failure.text());
            return values;
        }
        if (daemonStatus != null) {
            values.put("daemon_status", daemonStatus);
            return values;
        }
        values.put("domain_state", domainState);
        values.put("nodes", nodes.size());
        values.put("nodes_listed", nodes.size());
        values.put("nodes_ready", nodesReady);
        values.put("node_states", nodes);
        if (!versions.isEmpty()) {
            values.put("versions", versions);
        }
        if (allConnected != null) {
            values.put("all_connected", allConnected);
        }
        return values;
    }

    @Override
    public List<Observed> facts(String sourceName) {
        return Noted.from(notes, sourceName);
    }
}
