package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.scan.Logs;
import io.gpuflow.scan.Signatures;
import io.gpuflow.scan.Unread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the logs, dumps and records of a job say, unjudged.
 *
 * @param unread what was named or found and not read, or not to its end
 */
public record JobEvidence(List<Observed> facts, List<Unread> unread) {
    /** Reads everything below the paths: files, folders, archives; {@code -} is standard input. */
    public static JobEvidence read(List<Path> paths) {
        OtherEvidence others = new OtherEvidence();
        Logs logs = new Logs(Signatures.builtIn(), others);
        logs.read(paths);
        List<Observed> facts = new ArrayList<>();
        if (logs.any()) {
            facts.addAll(logs.facts());
        } else {
            facts.add(
                    new Observed(
                            new Unknown("Incident", "no log could be read"),
                            Source.of("the paths given")));
        }
        facts.addAll(others.facts());
        return new JobEvidence(List.copyOf(ProcessEvidence.joined(facts)), logs.unread());
    }
}
