package io.gpuflow.parse;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Mig;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads nvidia-smi -L: the GPUs and, below each, its MIG devices. */
public final class GpuListParser implements Parser<GpuListReport> {
    @Override
    public String kind() {
        return "gpu-list";
    }

    @Override
    public boolean readsPart() {
        return true;
    }

    @Override
    public int recognises(String head) {
        if (!head.contains("GPU ")) {
            return head.contains("nvidia-smi -L") ? 45 : 0;
        }
        int named = 0;
        int others = 0;
        boolean listed = false;
        for (String line : Lines.of(head)) {
            GpuLine gpu = GpuLine.in(line);
            if (NvLinkLine.in(line) != null || NvLinkLine.isRefusal(line)) {
                // The line before was a heading of nvidia-smi nvlink.
                listed = false;
            } else if (listed) {
                return 75;
            }
            listed = gpu != null && gpu.uuid() != null;
            boolean bare = gpu != null && line.stripLeading().startsWith("GPU ");
            named += bare ? 1 : 0;
            others += bare || line.isBlank() || migProfile(line) != null ? 0 : 1;
        }
        // Without UUIDs only a text that is little else can be a list.
        return listed ? 75 : named > others ? 35 : 0;
    }

    @Override
    public GpuListReport parse(String text) {
        List<String> lines = Lines.of(text);
        Map<Integer, GpuListReport.Entry> gpus = new LinkedHashMap<>();
        List<String> unparsed = new ArrayList<>();
        List<Noted> notes = new ArrayList<>();
        GpuListReport.Entry current = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            GpuLine gpu = GpuLine.in(line);
            String profile = migProfile(line);
            if (profile != null && current != null) {
                current.migProfiles().add(profile);
                String uuid = GpuLine.uuid(line);
                if (uuid != null) {
                    current.migUuids().add(uuid);
                }
            } else if (gpu != null) {
                current =
                        new GpuListReport.Entry(
                                gpu.name(),
                                gpu.uuid(),
                                i + 1,
                                new ArrayList<>(),
                                new ArrayList<>());
                if (gpus.putIfAbsent(gpu.index(), current) == null) {
                    notes.add(Noted.at(fact(gpu), i + 1, lines));
                }
            } else if (!line.isBlank()) {
                unparsed.add(Excerpt.of(line));
            }
        }
        noteMig(gpus, notes, lines);
        Failure failure = gpus.isEmpty() ? failure(lines) : null;
        if (failure != null) {
            notes.add(Noted.at(new Unknown("Gpu", failure.text()), failure.line(), lines));
        }
        return new GpuListReport(gpus, failure, notes, unparsed);
    }

    private static Gpu fact(GpuLine gpu) {
        return new Gpu(gpu.index(), "nvidia", gpu.name(), gpu.uuid(), null, null, null, null);
    }

    /** The list shows MIG devices, not the mode: a GPU without any may still be in MIG mode. */
    private static void noteMig(
            Map<Integer, GpuListReport.Entry> gpus, List<Noted> notes, List<String> lines) {
        gpus.forEach(
                (index, entry) -> {
                    int devices = entry.migProfiles().size();
                    boolean named = entry.migUuids().size() == devices;
                    Mig mig =
                            new Mig(
                                    index,
                                    devices > 0 ? Boolean.TRUE : null,
                                    devices,
                                    named ? List.copyOf(entry.migUuids()) : null);
                    notes.add(Noted.at(mig, entry.line(), lines));
                });
    }

    private static Failure failure(List<String> lines) {
        Failure failure = ToolErrors.in(lines);
        return failure != null ? failure : new Failure("no-gpu", "no GPU listed", 0);
    }

    /** 1g.10gb of " MIG 1g.10gb Device 0: (UUID: MIG-…)", or null. */
    private static String migProfile(String line) {
        List<Token> words = Token.in(line);
        for (int i = 0; i + 2 < words.size(); i++) {
            if (words.get(i).text().equals("MIG") && words.get(i + 2).text().equals("Device")) {
                return words.get(i + 1).text();
            }
        }
        return null;
    }
}
