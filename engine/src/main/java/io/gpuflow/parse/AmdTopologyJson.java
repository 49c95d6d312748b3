package io.gpuflow.parse;

import java.util.List;
import java.util.Map;

/**
 * The JSON of amd-smi topology (before and since ROCm 6.1.1, the latter also below "gpu_data") and
 * of rocm-smi --showtopo.
 */
final class AmdTopologyJson {
    /** Name in amd-smi's link objects since 6.1.1, table. */
    private static final String[][] LINK_KEYS = {
        {"link_status", AmdTables.ACCESS},
        {"weight", AmdTables.WEIGHT},
        {"num_hops", AmdTables.HOPS},
        {"link_type", AmdTables.LINK_TYPE},
        {"bandwidth", AmdTables.BANDWIDTH},
        {"coherent", AmdTables.COHERENT},
        {"atomics", AmdTables.ATOMICS},
        {"dma", AmdTables.DMA},
        {"bi_dir", AmdTables.BI_DIRECTIONAL},
    };

    /** Name of the maps keyed by gpu_N up to 6.1.0, table. */
    private static final String[][] MAP_KEYS = {
        {"link_accessibility", AmdTables.ACCESS},
        {"weight", AmdTables.WEIGHT},
        {"hops", AmdTables.HOPS},
        {"link_type", AmdTables.LINK_TYPE},
        {"numa_bandwidth", AmdTables.BANDWIDTH},
        {"coherent", AmdTables.COHERENT},
        {"atomics", AmdTables.ATOMICS},
        {"dma", AmdTables.DMA},
        {"bi_dir", AmdTables.BI_DIRECTIONAL},
    };

    /** Beginning of rocm-smi's names, which end in "between DRM devices 0 and 1"; table. */
    private static final String[][] ROCM_KEYS = {
        {"weight", AmdTables.WEIGHT},
        {"hops", AmdTables.HOPS},
        {"link type", AmdTables.LINK_TYPE},
        {"link accessibility", AmdTables.ACCESS},
    };

    /** The largest index that is believed. */
    static final int MAX_GPU = 1023;

    private AmdTopologyJson() {}

    /** The format's name, or null when the JSON is none of them. */
    static String read(Object root, AmdTables tables) {
        Object list =
                JsonTree.get(root, "gpu_data") != null ? JsonTree.get(root, "gpu_data") : root;
        String format = null;
        for (Object gpu : JsonTree.list(list)) {
            Long index = JsonTree.integer(JsonTree.get(gpu, "gpu"));
            if (index == null || index < 0 || index > MAX_GPU) {
                continue;
            }
            String bdf = JsonTree.text(JsonTree.get(gpu, "bdf"));
            if (JsonTree.get(gpu, "links") != null) {
                tables.gpu(index.intValue(), bdf);
                readLinks(index.intValue(), JsonTree.list(JsonTree.get(gpu, "links")), tables);
                format = "json-new";
            } else if (readMaps(index.intValue(), gpu, tables)) {
                tables.gpu(index.intValue(), bdf);
                format = "json-old";
            }
        }
        if (format == null && root instanceof Map<?, ?> map && readRocm(map, tables)) {
            format = "json-rocm";
        }
        return format;
    }

    private static void readLinks(int from, List<?> links, AmdTables tables) {
        for (Object link : links) {
            Long to = JsonTree.integer(JsonTree.get(link, "gpu"));
            if (to == null || to < 0 || to > MAX_GPU) {
                continue;
            }
            tables.gpu(to.intValue(), JsonTree.text(JsonTree.get(link, "bdf")));
            for (String[] key : LINK_KEYS) {
                tables.cell(key[1], from, to.intValue(), JsonTree.text(JsonTree.get(link, key[0])));
            }
        }
    }

    private static boolean readMaps(int from, Object gpu, AmdTables tables) {
        boolean any = false;
        for (String[] key : MAP_KEYS) {
            if (JsonTree.get(gpu, key[0]) instanceof Map<?, ?> map) {
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    int to = peer(String.valueOf(entry.getKey()));
                    if (to >= 0) {
                        tables.cell(key[1], from, to, JsonTree.text(entry.getValue()));
                        any = true;
                    }
                }
            }
        }
        return any;
    }

    /** The number of gpu_7, or −1. */
    static int peer(String name) {
        int bar = name.lastIndexOf('_');
        Long number = bar < 0 || bar > 24 ? null : Numbers.integer(name.substring(bar + 1));
        return number == null || number < 0 || number > MAX_GPU ? -1 : number.intValue();
    }

    /** {"system": {"(Topology) Link type between DRM devices 0 and 1": "XGMI"}, "card0": {…}}. */
    private static boolean readRocm(Map<?, ?> root, AmdTables tables) {
        boolean any = false;
        for (Map.Entry<?, ?> entry : root.entrySet()) {
            String name = String.valueOf(entry.getKey());
            Long card = name.startsWith("card") ? Numbers.integer(name.substring(4)) : null;
            if (card != null && card >= 0 && card <= MAX_GPU) {
                any |= readCard(card.intValue(), entry.getValue(), tables);
            } else if (name.equals("system") && entry.getValue() instanceof Map<?, ?> system) {
                for (Map.Entry<?, ?> pair : system.entrySet()) {
                    any |= readPair(String.valueOf(pair.getKey()), pair.getValue(), tables);
                }
            }
        }
        return any;
    }

    private static boolean readCard(int gpu, Object card, AmdTables tables) {
        String node = JsonTree.text(JsonTree.get(card, "(Topology) Numa Node"));
        String affinity = JsonTree.text(JsonTree.get(card, "(Topology) Numa Affinity"));
        if (node != null) {
            tables.numaNode(gpu, node);
        }
        if (affinity != null) {
            tables.numaAffinity(gpu, affinity);
        }
        return node != null || affinity != null;
    }

    private static boolean readPair(String name, Object value, AmdTables tables) {
        int devices = name.indexOf("devices ");
        int and = name.indexOf(" and ", devices + 1);
        if (!name.startsWith("(Topology) ") || devices < 0 || and < 0) {
            return false;
        }
        Long a = Numbers.integer(name.substring(devices + 8, and));
        Long b = Numbers.integer(name.substring(and + 5));
        if (a == null || b == null || a < 0 || b < 0 || a > MAX_GPU || b > MAX_GPU) {
            return false;
        }
        for (String[] key : ROCM_KEYS) {
            if (name.regionMatches(true, 11, key[0], 0, key[0].length())) {
                tables.cell(key[1], a.intValue(), b.intValue(), JsonTree.text(value));
                return true;
            }
        }
        return false;
    }
}
