package io.gpuflow.parse;

import io.gpuflow.facts.NvLinkErrors;
import io.gpuflow.facts.NvLinkState;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads nvidia-smi nvlink: -s (rate of each link), -e (error counters), -c (capabilities), several
 * of them in one text too.
 */
public final class NvLinkParser implements Parser<NvLinkReport> {
    @Override
    public String kind() {
        return "nvlink";
    }

    @Override
    public boolean readsPart() {
        return true;
    }

    @Override
    public int recognises(String head) {
        if (NvLinkLine.isRefusal(head)) {
            return 86;
        }
        if (!head.contains("GPU ") || !head.contains("Link ")) {
            return head.contains("nvidia-smi nvlink") ? 45 : 0;
        }
        for (String line : Lines.of(head)) {
            if (NvLinkLine.in(line) != null) {
                return 86;
            }
        }
        return 0;
    }

    @Override
    public NvLinkReport parse(String text) {
        List<String> lines = Lines.of(text);
        Map<Integer, NvLinkReport.Links> gpus = new LinkedHashMap<>();
        List<String> unparsed = new ArrayList<>();
        NvLinkReport.Links current = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            GpuLine gpu = GpuLine.in(line);
            NvLinkLine link = NvLinkLine.in(line);
            if (gpu != null) {
                int number = i + 1;
                current =
                        gpus.computeIfAbsent(
                                gpu.index(), index -> new NvLinkReport.Links(gpu, number));
            } else if (link != null && current != null) {
                current.add(link, i + 1);
            } else if (NvLinkLine.isRefusal(line) && current != null) {
                current.noneActive = true;
            } else if (current != null && isEllipsis(line)) {
                current.elided = true;
            } else if (!line.isBlank()) {
                unparsed.add(Excerpt.of(line));
            }
        }
        gpus.values().removeIf(links -> !links.told());
        Failure failure = gpus.isEmpty() ? failure(lines) : null;
        return new NvLinkReport(gpus, failure, notes(gpus, failure, lines), unparsed);
    }

    private static boolean isEllipsis(String line) {
        String text = line.strip();
        return text.equals("...")
                || text.equals("…")
                || text.equals("[...]")
                || text.equals("(...)");
    }

    private static Failure failure(List<String> lines) {
        Failure failure = ToolErrors.in(lines);
        return failure != null ? failure : new Failure("no-links", "no NVLink of a GPU found", 0);
    }

    private static List<Noted> notes(
            Map<Integer, NvLinkReport.Links> gpus, Failure failure, List<String> lines) {
        List<Noted> notes = new ArrayList<>();
        if (failure != null) {
            notes.add(Noted.at(new Unknown("NvLinkState", failure.text()), failure.line(), lines));
        }
        gpus.forEach(
                (gpu, links) -> {
                    if (links.tellsState()) {
                        NvLinkState state =
                                new NvLinkState(gpu, links.up(), links.down(), links.gbpsPerLink());
                        notes.add(Noted.at(state, links.line, lines));
                    }
                    links.errors.forEach(
                            (link, counts) -> {
                                NvLinkErrors fact = counts.fact(gpu, link);
                                if (fact != null) {
                                    notes.add(Noted.at(fact, counts.line, lines));
                                }
                            });
                });
        return notes;
    }
}
