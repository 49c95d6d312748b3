package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.parse.P2pBandwidthTest;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.ProcessStates;
import io.gpuflow.parse.RasParser;
import io.gpuflow.scan.Logs;
import io.gpuflow.scan.Signatures;
import io.gpuflow.scan.Unread;
import io.gpuflow.trace.DumpReader;
import io.gpuflow.trace.Dumps;
import io.gpuflow.trace.TraceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the logs, dumps and records of a job say, unjudged.
 *
 * @param unread what was named or found and not read, or not to its end
 */
public record JobEvidence(List<Observed> facts, List<Unread> unread) {
    /** Outputs of tools that other parsers know and that bear on a failure. */
    private static final List<Parser<?>> TOOLS =
            List.of(new P2pBandwidthTest(), new ProcessStates(), new RasParser());

    private static final long MOST_PARSED = 4 << 20;
    private static final long MOST_DUMPED = 256L << 20;

    /** Reads everything below the paths: files, folders, archives; {@code -} is standard input. */
    public static JobEvidence read(List<Path> paths) {
        Logs logs = new Logs(Signatures.builtIn());
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
        for (Path text : logs.texts()) {
            parse(text, facts);
        }
        List<Unread> unread = new ArrayList<>(logs.unread());
        facts.addAll(dumps(logs.dumps(), unread));
        return new JobEvidence(List.copyOf(ProcessEvidence.joined(facts)), List.copyOf(unread));
    }

    private static void parse(Path file, List<Observed> facts) {
        try {
            if (Files.size(file) > MOST_PARSED) {
                return;
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            for (Parser<?> parser : TOOLS) {
                if (parser.recognises(text) > 0) {
                    facts.addAll(parser.parse(text).facts(file.toString()));
                }
            }
        } catch (IOException e) {
            // The scan has told that it can't be read.
            return;
        }
    }

    /** What Flight Recorder dumps say; the rank is the number at the end of a dump's name. */
    private static List<Observed> dumps(List<Path> files, List<Unread> unread) {
        Dumps dumps = new Dumps();
        for (Path file : files) {
            Integer rank = DumpReader.rankOf(file.getFileName().toString());
            try {
                if (rank == null) {
                    throw new TraceException("a dump whose name does not end with its rank");
                }
                if (Files.size(file) > MOST_DUMPED) {
                    throw new TraceException("a dump larger than " + (MOST_DUMPED >> 20) + " MiB");
                }
                dumps.add(rank, file.toString(), Files.readAllBytes(file));
            } catch (IOException e) {
                unread.add(new Unread(file.toString(), e.getMessage()));
            }
        }
        return dumps.isEmpty() ? List.of() : dumps.facts();
    }
}
