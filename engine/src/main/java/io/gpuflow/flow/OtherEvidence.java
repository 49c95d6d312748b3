package io.gpuflow.flow;

import io.gpuflow.facts.Known;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.parse.P2pBandwidthTest;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.ProcessStates;
import io.gpuflow.parse.RasParser;
import io.gpuflow.parse.RasReport;
import io.gpuflow.parse.Report;
import io.gpuflow.parse.StackDumps;
import io.gpuflow.scan.WholeFiles;
import io.gpuflow.trace.DumpReader;
import io.gpuflow.trace.Dumps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is no log: Flight Recorder dumps, answers of RAS, outputs of tools that bear on a failure.
 */
final class OtherEvidence implements WholeFiles {
    private static final List<Parser<?>> TOOLS =
            List.of(new P2pBandwidthTest(), new ProcessStates(), new StackDumps(), new RasParser());

    private final DumpReader reader = new DumpReader();

    /** Dumps by folder: two of one rank in different folders are of different jobs. */
    private final Map<String, Dumps> dumps = new TreeMap<>();

    private final Map<String, List<Observed>> told = new TreeMap<>();

    @Override
    public boolean wants(byte[] head) {
        return DumpReader.looksLike(head);
    }

    /** The rank is the number at the end of a dump's name. */
    @Override
    public void take(String name, byte[] content) throws IOException {
        Integer rank = DumpReader.rankOf(name);
        if (rank == null) {
            throw new IOException("a dump whose name does not end with its rank");
        }
        Dumps ofFolder;
        synchronized (dumps) {
            ofFolder = dumps.computeIfAbsent(folder(name), f -> new Dumps(reader));
        }
        ofFolder.add(rank, name, content);
    }

    @Override
    public void text(String name, byte[] content) {
        String text = new String(content, StandardCharsets.UTF_8);
        for (Parser<?> parser : TOOLS) {
            if (parser.recognises(text) > 0) {
                Report report = parser.parse(text);
                List<Observed> facts = new ArrayList<>(report.facts(name));
                if (report instanceof RasReport && report.error() == null) {
                    facts.add(new Observed(new Known("RasRank"), Source.of(name)));
                }
                synchronized (told) {
                    told.computeIfAbsent(name, n -> new ArrayList<>()).addAll(facts);
                }
            }
        }
    }

    static String folder(String file) {
        return file.substring(0, Math.max(0, file.lastIndexOf('/')));
    }

    /** By folder what its files say. Dumps of different ranks in several folders are of one job. */
    Map<String, List<Observed>> facts() {
        Map<String, List<Observed>> facts = new LinkedHashMap<>();
        told.forEach((n, f) -> facts.computeIfAbsent(folder(n), k -> new ArrayList<>()).addAll(f));
        Map<String, Dumps> joined = new LinkedHashMap<>();
        dumps.forEach(
                (folder, of) -> {
                    for (Dumps other : joined.values()) {
                        if (other.join(of)) {
                            return;
                        }
                    }
                    joined.put(folder, of);
                });
        joined.forEach(
                (folder, of) -> {
                    if (!of.isEmpty()) {
                        facts.computeIfAbsent(folder, k -> new ArrayList<>()).addAll(of.facts());
                    }
                });
        return facts;
    }
}
