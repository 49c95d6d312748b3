package io.gpuflow.parse;

import io.gpuflow.facts.Driver;
import io.gpuflow.facts.GpuFabric;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the Fabric block of nvidia-smi -q, whole or cut out with grep. Its keys are known, because
 * neither the width of the first column nor the depth is the same in all drivers.
 */
public final class FabricParser implements Parser<FabricReport> {
    /** Key as printed, key in JSON. */
    private static final Map<String, String> KEYS =
            Map.ofEntries(
                    Map.entry("State", "state"),
                    Map.entry("Status", "status"),
                    Map.entry("CliqueId", "clique_id"),
                    Map.entry("ClusterUUID", "cluster_uuid"),
                    Map.entry("Summary", "health_summary"),
                    Map.entry("Bandwidth", "bandwidth"),
                    Map.entry("Route Recovery in progress", "route_recovery"),
                    Map.entry("Route Unhealthy", "route_unhealthy"),
                    Map.entry("Access Timeout Recovery", "access_timeout_recovery"),
                    Map.entry("Incorrect Configuration", "incorrect_configuration"),
                    Map.entry("Partition Assigned", "partition_assigned"));

    @Override
    public String kind() {
        return "fabric";
    }

    @Override
    public boolean readsPart() {
        return true;
    }

    @Override
    public int recognises(String head) {
        if (!head.contains("Fabric") && !head.contains("fabric.state")) {
            return 0;
        }
        for (String line : Lines.of(head)) {
            if (isTitle(line) || line.contains("fabric.state")) {
                return 82;
            }
        }
        return 0;
    }

    @Override
    public FabricReport parse(String text) {
        List<String> lines = Lines.of(text);
        Map<Integer, FabricReport.Block> blocks = new LinkedHashMap<>();
        Integer attached = null;
        String driver = null;
        String cuda = null;
        int driverLine = 0;
        int sections = 0;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (isGpuHeading(line)) {
                sections++;
            } else if (line.contains("Driver Version  ")) {
                driver = driver == null ? value(line) : driver;
                driverLine = driverLine == 0 ? i + 1 : driverLine;
            } else if (line.contains("CUDA Version  ")) {
                cuda = cuda == null ? value(line) : cuda;
            } else if (line.contains("Attached GPUs")) {
                attached = count(value(line));
            } else if (isTitle(line)) {
                int gpu = sections == 0 ? blocks.size() : sections - 1;
                FabricReport.Block block = new FabricReport.Block(i + 1, new LinkedHashMap<>());
                i = read(lines, i + 1, depth(line), block);
                blocks.putIfAbsent(gpu, block);
            }
        }
        if (blocks.isEmpty()) {
            readCsv(lines, blocks);
        }
        Failure failure = blocks.isEmpty() ? failure(lines) : null;
        List<Noted> notes = notes(blocks, failure, lines);
        if (driver != null) {
            notes.add(Noted.at(new Driver("nvidia", driver, cuda), driverLine, lines));
        }
        return new FabricReport(blocks, attached, failure, notes, unparsed(blocks, lines));
    }

    /** Lines of nvidia-smi -q on other matters are not listed: they are not this parser's. */
    private static List<String> unparsed(
            Map<Integer, FabricReport.Block> blocks, List<String> lines) {
        return blocks.isEmpty() ? Unparsed.of(lines, 0) : List.of();
    }

    /** GPU 00000000:18:00.0 */
    private static boolean isGpuHeading(String line) {
        List<Token> words = Token.in(line);
        int last = words.size() - 1;
        return last > 0
                && words.get(last - 1).text().equals("GPU")
                && AmdWords.isBdf(words.get(last).text());
    }

    /** "Fabric" alone, behind its indentation and perhaps a launcher's prefix. */
    private static boolean isTitle(String line) {
        String text = line.stripTrailing();
        text = text.endsWith(":") ? text.substring(0, text.length() - 1) : text;
        if (!text.endsWith("Fabric")) {
            return false;
        }
        String before = text.substring(0, text.length() - 6);
        return before.isBlank() || before.endsWith("   ") || before.endsWith("\t");
    }

    private static int depth(String line) {
        int depth = 0;
        while (depth < line.length() && line.charAt(depth) <= ' ') {
            depth++;
        }
        return depth;
    }

    /** Reads keys until a line that can't belong to the block; returns the last index read. */
    private static int read(List<String> lines, int from, int depth, FabricReport.Block block) {
        int last = from - 1;
        for (int i = from; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isBlank()) {
                continue;
            }
            String name = nameIn(line);
            String key = name == null ? null : KEYS.get(name);
            boolean health = line.stripTrailing().endsWith("Health");
            boolean inside = key != null || health || depth(line) > depth;
            if (!inside || isTitle(line) || block.values().containsKey(key)) {
                break;
            }
            if (key != null) {
                int colon = line.indexOf(':', line.lastIndexOf(name) + name.length());
                block.values().put(key, line.substring(colon + 1).strip());
            }
            last = i;
        }
        return last;
    }

    /** The known name before a colon, the longest that fits; null when there is none. */
    private static String nameIn(String line) {
        String found = null;
        for (String name : KEYS.keySet()) {
            int at = line.lastIndexOf(name);
            boolean word = at == 0 || at > 0 && line.charAt(at - 1) <= ' ';
            int colon = at < 0 ? -1 : line.indexOf(':', at + name.length());
            boolean ends = colon >= 0 && line.substring(at + name.length(), colon).isBlank();
            if (word && ends && (found == null || name.length() > found.length())) {
                found = name;
            }
        }
        return found;
    }

    private static String value(String line) {
        int colon = line.lastIndexOf(':');
        return colon < 0 ? "" : line.substring(colon + 1).strip();
    }

    private static Integer count(String word) {
        Long count = Numbers.integer(word);
        return count == null || count < 0 || count > 1024
                ? null
                : Integer.valueOf(count.intValue());
    }

    /** nvidia-smi --query-gpu=fabric.state,fabric.status --format=csv. */
    private static void readCsv(List<String> lines, Map<Integer, FabricReport.Block> blocks) {
        List<String> heading = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (heading == null) {
                heading =
                        line.contains("fabric.state") && !line.contains("--") ? fields(line) : null;
                continue;
            }
            List<String> fields = fields(line);
            if (fields.size() == heading.size()) {
                readCsvRow(heading, fields, i + 1, blocks);
            }
        }
    }

    private static void readCsvRow(
            List<String> heading,
            List<String> fields,
            int line,
            Map<Integer, FabricReport.Block> blocks) {
        FabricReport.Block block = new FabricReport.Block(line, new LinkedHashMap<>());
        int gpu = blocks.size();
        for (int f = 0; f < fields.size(); f++) {
            Integer index = heading.get(f).equals("index") ? count(fields.get(f)) : null;
            gpu = index == null ? gpu : index;
            String key = csvKey(heading.get(f));
            if (key != null) {
                block.values().put(key, fields.get(f));
            }
        }
        blocks.put(gpu, block);
    }

    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        for (String field : line.split(",", -1)) {
            fields.add(field.strip());
        }
        return fields;
    }

    private static String csvKey(String column) {
        return switch (column) {
            case "fabric.state" -> "state";
            case "fabric.status" -> "status";
            case "fabric.cliqueId" -> "clique_id";
            case "fabric.clusterUuid", "fabric.clusterUUID" -> "cluster_uuid";
            case "fabric.health.bandwidth" -> "bandwidth";
            default -> null;
        };
    }

    private static Failure failure(List<String> lines) {
        Failure failure = ToolErrors.in(lines);
        return failure != null ? failure : new Failure("no-fabric", "no Fabric block found", 0);
    }

    private static List<Noted> notes(
            Map<Integer, FabricReport.Block> blocks, Failure failure, List<String> lines) {
        List<Noted> notes = new ArrayList<>();
        if (failure != null) {
            notes.add(Noted.at(new Unknown("GpuFabric", failure.text()), failure.line(), lines));
        }
        blocks.forEach(
                (gpu, block) -> {
                    Map<String, String> values = block.values();
                    GpuFabric fact =
                            new GpuFabric(
                                    gpu,
                                    values.get("state"),
                                    values.get("status"),
                                    values.get("clique_id"),
                                    values.get("cluster_uuid"),
                                    values.get("health_summary"));
                    notes.add(Noted.at(fact, block.line(), lines));
                });
        return notes;
    }
}
