package io.gpuflow.step;

import io.gpuflow.facts.EvidenceFile;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.JobEvidence;
import io.gpuflow.flow.State;
import io.gpuflow.scan.Signatures;
import io.gpuflow.scan.Unread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads what earlier steps left (logs, dumps, answers of RAS, states of processes) and what the
 * user names. The rules judge what it brings together with everything that is known; it names no
 * cause itself.
 */
public final class Diagnose implements Action {
    private final Supplier<Signatures> signatures;

    public Diagnose() {
        this(Signatures::builtIn);
    }

    /**
     * @param signatures asked for when there is a log to read
     */
    public Diagnose(Supplier<Signatures> signatures) {
        this.signatures = signatures;
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
            return new Outcome(State.PASSED, "no step left a log to read", List.of(), out(0, 0));
        }
        JobEvidence job = JobEvidence.ofOneJob(new ArrayList<>(files), signatures);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        List<Unread> unread = job.unread();
        int read = files.size() - unread.size();
        String reason = "read " + read + (read == 1 ? " file" : " files");
        if (!unread.isEmpty()) {
            Unread first = unread.get(0);
            reason += ", " + unread.size() + " not read: " + first.file() + " " + first.why();
        }
        return new Outcome(State.PASSED, reason, job.facts(), out(read, unread.size()));
    }

    private static Map<String, Object> out(int read, int unread) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("read", read);
        out.put("unread", unread);
        return out;
    }
}
