package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Service;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads {@code systemctl show -p Id,LoadState,ActiveState,SubState,Result UNIT…}. */
public final class SystemctlShow implements Parser<SystemctlShow.Reading> {
    /**
     * One unit in systemd's words.
     *
     * @param loadState loaded, not-found, masked …
     * @param activeState active, inactive, failed, activating …
     */
    public record Unit(
            String id, String loadState, String activeState, String subState, String result) {}

    /** All units that were asked for. */
    public record Reading(List<Unit> units, String error, List<String> unparsed) implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            Source source = Source.of(sourceName);
            return units.stream()
                    .map(u -> new Observed(new Service(name(u.id), state(u), null), source))
                    .toList();
        }

        private static String name(String id) {
            return id.endsWith(".service") ? id.substring(0, id.length() - 8) : id;
        }

        private static String state(Unit unit) {
            boolean absent = "not-found".equals(unit.loadState);
            return absent && !"active".equals(unit.activeState) ? "absent" : unit.activeState;
        }
    }

    @Override
    public String kind() {
        return "systemctl-show";
    }

    @Override
    public int recognises(String head) {
        boolean units = head.contains("ActiveState=") && head.contains("Id=");
        return units ? 90 : head.contains("not been booted with systemd") ? 70 : 0;
    }

    @Override
    public Reading parse(String text) {
        List<Unit> units = new ArrayList<>();
        List<String> unparsed = new ArrayList<>();
        Map<String, String> block = new TreeMap<>();
        for (String line : Lines.of(text)) {
            int equals = line.indexOf('=');
            if (line.isBlank()) {
                add(block, units);
            } else if (equals > 0) {
                block.put(line.substring(0, equals), line.substring(equals + 1).trim());
            } else {
                unparsed.add(line);
            }
        }
        add(block, units);
        String error = null;
        if (units.isEmpty()) {
            error = unparsed.isEmpty() ? "no unit listed" : unparsed.get(0).trim();
        }
        return new Reading(units, error, unparsed);
    }

    private static void add(Map<String, String> block, List<Unit> units) {
        if (block.containsKey("Id") && block.containsKey("ActiveState")) {
            units.add(
                    new Unit(
                            block.get("Id"),
                            block.get("LoadState"),
                            block.get("ActiveState"),
                            block.get("SubState"),
                            block.get("Result")));
        }
        block.clear();
    }
}
