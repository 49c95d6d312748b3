package io.gpuflow.probe;

import io.gpuflow.facts.Observed;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Report;
import java.util.List;

/**
 * Tells a GPU that has no NVLink from an answer that can't be read: nvidia-smi then names the GPU
 * and lists no link below it.
 */
record NoLinks(Parser<? extends Report> links) implements Parser<Report> {
    /** Every GPU was named and none has a link. */
    record None(String error, List<String> unparsed) implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            return List.of();
        }
    }

    @Override
    public String kind() {
        return links.kind();
    }

    @Override
    public int recognises(String head) {
        return links.recognises(head);
    }

    @Override
    public Report parse(String text) {
        List<String> lines = text.lines().filter(l -> !l.isBlank()).toList();
        boolean bare = !lines.isEmpty() && lines.stream().allMatch(l -> l.matches("GPU \\d+: .*"));
        return bare ? new None(null, List.of()) : links.parse(text);
    }
}
