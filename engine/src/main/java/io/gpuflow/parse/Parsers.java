package io.gpuflow.parse;

import java.util.ArrayList;
import java.util.List;

/** The parsers. To add one, add its class, its samples and a line here. */
public final class Parsers {
    private Parsers() {}

    public static List<Parser<?>> all() {
        List<Parser<?>> all = new ArrayList<>(ofParts());
        all.addAll(ofWholes());
        return all;
    }

    /** Those that find their own lines among others', asked first. */
    static List<Parser<?>> ofParts() {
        return List.of(
                new TopoMatrixParser(),
                new P2pParser(),
                new AmdTopologyParser(),
                new NcclTestsParser(),
                new NcclInfoParser(),
                new NvLinkParser(),
                new FabricParser(),
                new GpuListParser(),
                new ImexParser());
    }

    /** Those for the whole output of one tool. */
    static List<Parser<?>> ofWholes() {
        return List.of(
                new SmokeOutput(),
                new TorchBench(),
                new NvidiaSmiXml(),
                new NvidiaSmiCsv(),
                new AmdSmiStatic(),
                new AmdSmiMetric(),
                new RocmSmi(),
                new Ibstat(),
                new IbvDevinfo(),
                new KernelLog(),
                new P2pBandwidthTest(),
                new Lscpu(),
                new Numactl(),
                new LspciAcs(),
                new ProcLimits(),
                new ProcessStates(),
                new StackDumps(),
                new RasParser(),
                new SystemctlShow(),
                new NcclConf(),
                new Df(),
                new TorchReport());
    }

    /** The names that --as takes, for messages. */
    public static String kinds() {
        StringBuilder kinds = new StringBuilder();
        for (Parser<?> parser : all()) {
            kinds.append(kinds.length() == 0 ? "" : ", ").append(parser.kind());
        }
        return kinds.toString();
    }

    /** The parser of a kind, or null. */
    public static Parser<?> named(String kind) {
        for (Parser<?> parser : all()) {
            if (parser.kind().equals(kind)) {
                return parser;
            }
        }
        return null;
    }

    /** The parser that is surest that the text is its own, or null. */
    public static Parser<?> of(String text) {
        Parser<?> best = null;
        int most = 0;
        for (Parser<?> parser : all()) {
            int sure = parser.recognises(text);
            if (sure > most) {
                most = sure;
                best = parser;
            }
        }
        return best;
    }
}
