package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import io.gpuflow.parse.P2pBandwidthTest;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.ProcessStates;
import io.gpuflow.parse.RasParser;
import io.gpuflow.scan.WholeFiles;
import io.gpuflow.trace.DumpReader;
import io.gpuflow.trace.Dumps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is no log: Flight Recorder dumps, answers of RAS, outputs of tools that bear on a failure.
 */
final class OtherEvidence implements WholeFiles {
    private static final List<Parser<?>> TOOLS =
            List.of(new P2pBandwidthTest(), new ProcessStates(), new RasParser());

    private final Dumps dumps = new Dumps();
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
        dumps.add(rank, name, content);
    }

    @Override
    public void text(String name, byte[] content) {
        String text = new String(content, StandardCharsets.UTF_8);
        for (Parser<?> parser : TOOLS) {
            if (parser.recognises(text) > 0) {
                List<Observed> facts = parser.parse(text).facts(name);
                synchronized (told) {
                    told.computeIfAbsent(name, n -> new ArrayList<>()).addAll(facts);
                }
            }
        }
    }

    List<Observed> facts() {
        List<Observed> facts = new ArrayList<>();
        told.values().forEach(facts::addAll);
        if (!dumps.isEmpty()) {
            facts.addAll(dumps.facts());
        }
        return facts;
    }
}
