package io.gpuflow.step;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Transport;
import io.gpuflow.facts.Unknown;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Parsers;
import io.gpuflow.parse.TransportKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What NCCL's or RCCL's own log says about a communicator: versions, network, transports. */
final class NcclLogs {
    private static final String KIND = "nccl-info";

    /** A log of one rank at INFO is some hundred lines; this bounds what a hostile file can do. */
    private static final int LARGEST = 16 << 20;

    private NcclLogs() {}

    /** Facts of all ranks, each once; what one rank's log does not tell, another's may. */
    static List<Observed> facts(List<Path> logs) {
        Parser<?> parser = Parsers.named(KIND);
        List<Observed> facts = new ArrayList<>();
        Set<Object> seen = new HashSet<>();
        for (Path log : logs) {
            try (InputStream in = Files.newInputStream(log)) {
                String text = new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8);
                for (Observed observed : parser.parse(text).facts(log.toString())) {
                    if (seen.add(observed.fact())) {
                        facts.add(observed);
                    }
                }
            } catch (IOException e) {
                // a log that can't be read tells nothing; the other ranks' may
            }
        }
        Set<String> told = new HashSet<>();
        facts.forEach(o -> told.add(o.fact().getClass().getSimpleName()));
        facts.removeIf(o -> o.fact() instanceof Unknown u && told.contains(u.what()));
        return facts;
    }

    /**
     * The slowest transport between any two ranks: P2P, SHM, NET/IB, NET/Socket or another NET;
     * null when the log tells none.
     */
    static String slowest(List<Observed> facts) {
        return slowestOf(KnownFacts.of(facts));
    }

    /** The same of all that is known. */
    static String slowestOf(KnownFacts facts) {
        return TransportKind.slowest(
                facts.all(Transport.class).stream().map(Transport::via).toList());
    }
}
