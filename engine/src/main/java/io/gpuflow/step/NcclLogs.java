package io.gpuflow.step;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Transport;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Parsers;
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

    /** The transports, the fastest first; a ring runs at the pace of its slowest edge. */
    private static final List<String> PACE = List.of("P2P", "SHM", "NET/IB", "NET", "NET/Socket");

    private NcclLogs() {}

    /** Facts of all ranks, each once. */
    static List<Observed> facts(List<Path> logs) {
        Parser<?> parser = Parsers.named(KIND);
        List<Observed> facts = new ArrayList<>();
        Set<Object> seen = new HashSet<>();
        for (Path log : parser == null ? List.<Path>of() : logs) {
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
        String slowest = null;
        for (Transport transport : facts.all(Transport.class)) {
            String kind = kind(transport.via());
            if (kind != null && (slowest == null || pace(kind) > pace(slowest))) {
                slowest = kind;
            }
        }
        return slowest;
    }

    private static int pace(String kind) {
        int pace = PACE.indexOf(kind);
        return pace >= 0 ? pace : PACE.indexOf("NET");
    }

    /** P2P/CUMEM is P2P, SHM/direct/direct is SHM, NET/IB/0/GDRDMA is NET/IB. */
    private static String kind(String via) {
        if (via == null) {
            return null;
        }
        String[] parts = via.split("/");
        if (parts[0].equals("NET") && parts.length > 1) {
            return "NET/" + parts[1];
        }
        return parts[0];
    }
}
