package io.gpuflow.step;

import io.gpuflow.facts.EvidenceFile;
import io.gpuflow.facts.Observed;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads what earlier steps left (logs, dumps, stacks) and what the user names. The rules judge what
 * it brings together with everything that is known; it names no cause itself.
 */
public final class Diagnose implements Action {
    /** Reads logs, dumps and folders of a job into facts. */
    @FunctionalInterface
    public interface Reader {
        List<Observed> read(List<Path> files) throws InterruptedException;
    }

    private final Reader reader;

    public Diagnose(Reader reader) {
        this.reader = reader;
    }

    @Override
    public Outcome run(Context context) throws InterruptedException {
        Set<Path> files = new LinkedHashSet<>();
        for (EvidenceFile file : KnownFacts.of(context.facts()).all(EvidenceFile.class)) {
            files.add(Path.of(file.path()));
        }
        if (context.with().get("logs") instanceof List<?> logs) {
            logs.forEach(log -> files.add(Path.of(String.valueOf(log)).toAbsolutePath()));
        }
        if (files.isEmpty()) {
            return new Outcome(State.PASSED, "no step left a log to read", List.of(), Map.of());
        }
        List<Observed> facts = reader.read(new ArrayList<>(files));
        String reason = "read " + files.size() + (files.size() == 1 ? " file" : " files");
        return new Outcome(State.PASSED, reason, facts, Map.of());
    }
}
