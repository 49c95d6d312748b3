package io.gpuflow.parse;

import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides how the GPUs of one machine are joined, from the labels of every pair. A label that is
 * missing, or that the two directions tell differently, makes the class unknown: nothing is
 * inferred from the rest.
 */
public final class LinkClassifier {
    /** Label of a pair that reaches each other over a link of a third GPU only. */
    public static final String INDIRECT = "INDIRECT";

    private LinkClassifier() {}

    /**
     * @param gpus index of each GPU, in the order of rows and columns
     * @param links label between two GPUs in the words of nvidia-smi topo -m (NV18, PIX, PXB, PHB,
     *     NODE, SYS) or of the AMD tools (XGMI, PCIE), NONE when the tool says that there is no
     *     link; null when not known. The diagonal is not read.
     * @param model product name of the GPUs when known, else null. It decides only where the matrix
     *     does not: two GPUs with all their NVLinks between them.
     */
    public static Topology classify(List<Integer> gpus, String[][] links, String model) {
        int count = gpus.size();
        if (count == 0) {
            return new Topology(LinkClass.UNKNOWN, 0, List.of());
        }
        if (count == 1) {
            return new Topology(LinkClass.SINGLE, 1, List.of());
        }
        boolean known = known(links, count);
        List<List<Integer>> groups = known ? groups(gpus, links) : List.of();
        return new Topology(
                known ? linkClass(links, groups, model) : LinkClass.UNKNOWN, count, groups);
    }

    private static boolean known(String[][] links, int count) {
        for (int a = 0; a < count; a++) {
            for (int b = 0; b < count; b++) {
                if (a != b
                        && (!isLink(links[a][b]) || isFast(links[a][b]) != isFast(links[b][a]))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isLink(String label) {
        if (label == null) {
            return false;
        }
        return switch (label) {
            case "PIX",
                    "PXB",
                    "PHB",
                    "NODE",
                    "SYS",
                    "PSB",
                    "C2C",
                    "XGMI",
                    "PCIE",
                    "NONE",
                    INDIRECT ->
                    true;
            default -> nvlinks(label) > 0;
        };
    }

    /** Bonded NVLinks of a label such as NV18, or 0. */
    public static int nvlinks(String label) {
        if (label == null || !label.startsWith("NV") || label.length() < 3 || label.length() > 4) {
            return 0;
        }
        int links = 0;
        for (int i = 2; i < label.length(); i++) {
            int digit = label.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            links = links * 10 + digit;
        }
        return links;
    }

    private static boolean isFast(String label) {
        return "XGMI".equals(label) || nvlinks(label) > 0;
    }

    /** Connected sets of two or more GPUs over NVLink or Infinity Fabric, sorted. */
    private static List<List<Integer>> groups(List<Integer> gpus, String[][] links) {
        List<List<Integer>> groups = new ArrayList<>();
        boolean[] seen = new boolean[gpus.size()];
        for (int first = 0; first < seen.length; first++) {
            if (seen[first]) {
                continue;
            }
            List<Integer> reached = new ArrayList<>(List.of(first));
            seen[first] = true;
            for (int i = 0; i < reached.size(); i++) {
                for (int other = 0; other < seen.length; other++) {
                    if (!seen[other] && isFast(links[reached.get(i)][other])) {
                        seen[other] = true;
                        reached.add(other);
                    }
                }
            }
            if (reached.size() > 1) {
                List<Integer> group = new ArrayList<>();
                for (int place : reached) {
                    group.add(gpus.get(place));
                }
                group.sort(null);
                groups.add(List.copyOf(group));
            }
        }
        return List.copyOf(groups);
    }

    private static LinkClass linkClass(String[][] links, List<List<Integer>> groups, String model) {
        int count = links.length;
        int fast = 0;
        int xgmi = 0;
        int most = 0;
        for (int a = 0; a < count; a++) {
            int sum = 0;
            for (int b = 0; b < count; b++) {
                if (a != b && isFast(links[a][b])) {
                    fast++;
                    xgmi += "XGMI".equals(links[a][b]) ? 1 : 0;
                    sum += nvlinks(links[a][b]);
                }
            }
            most = Math.max(most, sum);
        }
        boolean everyPair = fast == count * (count - 1);
        if (fast == 0) {
            return LinkClass.PCIE_ONLY;
        }
        if (xgmi > 0) {
            return everyPair && xgmi == fast ? LinkClass.XGMI_ALL_TO_ALL : LinkClass.XGMI_PARTIAL;
        }
        if (count == 2) {
            return pair(nvlinks(links[0][1]), model);
        }
        if (everyPair) {
            boolean whole = isWhole(nvlinks(links[0][1])) || most > linksOf(model);
            return whole ? LinkClass.NVSWITCH_ALL_TO_ALL : LinkClass.NVLINK_FULL_MESH;
        }
        for (List<Integer> group : groups) {
            if (group.size() > 2) {
                return LinkClass.NVLINK_PARTIAL;
            }
        }
        return LinkClass.NVLINK_PAIRS;
    }

    /**
     * Two GPUs joined by NVLink: a bridge, or two of an NVSwitch machine. All 18 links to one peer
     * need a switch, save on the products that are bridged in pairs.
     */
    private static LinkClass pair(int nvlinks, String model) {
        boolean bridged = has(model, "NVL") || has(model, "PCIe") || has(model, "GH200");
        boolean switched = has(model, "SXM") || has(model, "HBM3");
        boolean whole = nvlinks == 18 || switched && isWhole(nvlinks);
        return whole && !bridged ? LinkClass.NVSWITCH_ALL_TO_ALL : LinkClass.NVLINK_PAIRS;
    }

    /** NVLinks of a whole GPU: A800 and H800 8, A100 12, Hopper and Blackwell 18. */
    private static boolean isWhole(int nvlinks) {
        return nvlinks == 8 || nvlinks == 12 || nvlinks == 18;
    }

    /** The most NVLinks that a GPU of this model has; of any model when it is not known. */
    private static int linksOf(String model) {
        if (has(model, "P100")) {
            return 4;
        }
        if (has(model, "V100")) {
            return 6;
        }
        return has(model, "A100") ? 12 : 18;
    }

    private static boolean has(String model, String part) {
        return model != null && model.contains(part);
    }
}
