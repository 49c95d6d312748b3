package io.gpuflow.parse;

import io.gpuflow.facts.NvLinkErrors;
import io.gpuflow.facts.Observed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What nvidia-smi nvlink says.
 *
 * @param gpus links by GPU index, in the order printed
 */
record NvLinkReport(
        Map<Integer, Links> gpus, Failure failure, List<Noted> notes, List<String> unparsed)
        implements Report {

    /** The counters of NVLink 2 to 4, and those of NVLink 5; null when not printed. */
    static final class Counts {
        final int line;
        Long replay;
        Long recovery;
        Long crc;
        Long recoveries;
        Long failedRecoveries;
        Long effective;

        Counts(int line) {
            this.line = line;
        }

        boolean whole() {
            return replay != null && recovery != null && crc != null;
        }

        boolean wholeNvLink5() {
            return recoveries != null && effective != null;
        }

        /** Null when the printed part does not tell enough. */
        NvLinkErrors fact(int gpu, int link) {
            if (whole()) {
                return new NvLinkErrors(gpu, link, replay, recovery, crc, null, null);
            }
            return wholeNvLink5()
                    ? new NvLinkErrors(
                            gpu, link, null, recoveries, null, failedRecoveries, effective)
                    : null;
        }
    }

    /** The links of one GPU. */
    static final class Links {
        final GpuLine gpu;
        final int line;
        final Map<Integer, Double> rates = new TreeMap<>();
        final TreeMap<Integer, Boolean> active = new TreeMap<>();
        final Map<Integer, Counts> errors = new TreeMap<>();
        final Map<String, Long> otherCounters = new LinkedHashMap<>();
        final Map<String, Boolean> capabilities = new LinkedHashMap<>();
        boolean noneActive;

        /** Someone put an ellipsis in place of links between others. */
        boolean elided;

        Links(GpuLine gpu, int line) {
            this.gpu = gpu;
            this.line = line;
        }

        void add(NvLinkLine link, int number) {
            if (link.name() == null) {
                boolean inactive = link.isInactive();
                if (inactive || link.gbps() != null) {
                    active.put(link.link(), !inactive);
                }
                if (link.gbps() != null) {
                    rates.put(link.link(), link.gbps());
                }
                return;
            }
            Long count = Numbers.integer(link.value());
            Counts counts = errors.computeIfAbsent(link.link(), key -> new Counts(number));
            switch (link.name()) {
                case "Replay Errors" -> counts.replay = count;
                case "Recovery Errors" -> counts.recovery = count;
                case "CRC Errors" -> counts.crc = count;
                case "Total link recovery events" -> counts.recoveries = count;
                case "Link recovery failed events" -> counts.failedRecoveries = count;
                case "Effective Errors" -> {
                    counts.effective = count;
                    addOther(link, count);
                }
                default -> addOther(link, count);
            }
        }

        private void addOther(NvLinkLine link, Long count) {
            if (count != null && link.name().contains("Error")) {
                otherCounters.merge(link.name(), count, Long::sum);
            } else if (link.value().equals("true") || link.value().equals("false")) {
                boolean yes = link.value().equals("true");
                capabilities.merge(link.name(), yes, Boolean::logicalAnd);
            }
        }

        boolean told() {
            return tellsState() || !errors.isEmpty() || !capabilities.isEmpty();
        }

        boolean tellsState() {
            return noneActive || !active.isEmpty();
        }

        int up() {
            int up = 0;
            for (boolean each : active.values()) {
                up += each ? 1 : 0;
            }
            boolean filled = elided && up == active.size() && up > 1;
            return filled ? active.lastKey() + 1 : up;
        }

        /** Links that are listed as inactive; null when the tool said only that all are. */
        Integer down() {
            return active.isEmpty() || elided ? null : Integer.valueOf(active.size() - up());
        }

        /** The rate of a link, GB/s; the lowest when they differ, null when none is up. */
        Double gbpsPerLink() {
            Double lowest = null;
            for (double rate : rates.values()) {
                lowest =
                        lowest == null
                                ? Double.valueOf(rate)
                                : Double.valueOf(Math.min(lowest, rate));
            }
            return lowest;
        }

        Map<String, Object> values() {
            Map<String, Object> values = new LinkedHashMap<>();
            if (tellsState()) {
                values.put("links_up", up());
                if (down() != null) {
                    values.put("links_down", down());
                }
                if (gbpsPerLink() != null) {
                    values.put("speed", plain(gbpsPerLink()) + " GB/s");
                }
            }
            addErrors(values);
            if (!capabilities.isEmpty()) {
                values.put("capabilities", capabilities);
            }
            return values;
        }

        private void addErrors(Map<String, Object> values) {
            long replay = 0;
            long recovery = 0;
            long crc = 0;
            int whole = 0;
            for (Counts counts : errors.values()) {
                if (counts.whole()) {
                    replay += counts.replay;
                    recovery += counts.recovery;
                    crc += counts.crc;
                    whole++;
                }
            }
            if (whole > 0) {
                values.put("replay_errors", replay);
                values.put("recovery_errors", recovery);
                values.put("crc_errors", crc);
            }
            if (!otherCounters.isEmpty()) {
                values.put("other_errors", otherCounters);
            }
        }

        private static String plain(double rate) {
            return rate == Math.rint(rate) ? String.valueOf((long) rate) : String.valueOf(rate);
        }
    }

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
        Map<String, Object> byGpu = new LinkedHashMap<>();
        List<Integer> inactive = new ArrayList<>();
        boolean state = false;
        boolean allUp = true;
        for (Map.Entry<Integer, Links> entry : gpus.entrySet()) {
            Links links = entry.getValue();
            byGpu.put("GPU " + entry.getKey(), links.values());
            if (links.tellsState()) {
                state = true;
                allUp &= links.up() > 0 && (links.elided || links.up() == links.active.size());
                if (links.up() == 0) {
                    inactive.add(entry.getKey());
                }
            }
        }
        values.put("subkind", state ? "nvlink-s" : anyErrors() ? "nvlink-e" : "nvlink-c");
        values.put("gpus", byGpu);
        if (state) {
            values.put("all_up", allUp);
            values.put("inactive_gpus", inactive);
        }
        return values;
    }

    private boolean anyErrors() {
        for (Links links : gpus.values()) {
            for (Counts counts : links.errors.values()) {
                if (counts.whole()) {
                    return true;
                }
            }
            if (!links.otherCounters.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public List<Observed> facts(String sourceName) {
        return Noted.from(notes, sourceName);
    }
}
