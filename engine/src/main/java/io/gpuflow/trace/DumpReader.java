package io.gpuflow.trace;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Flight Recorder dumps, pickle and JSON, of every format version so far (2.0 to 2.10;
 * unknown keys are ignored). One reader for all dumps of a job, so that equal texts are kept once.
 *
 * <p>The keys: pytorch/pytorch torch/csrc/distributed/c10d/FlightRecorder.hpp and
 * FlightRecorderDetail.hpp.
 */
public final class DumpReader {
    private static final Pattern RANK =
            Pattern.compile(
                    "(\\d+)(?:\\.(?:pkl|pickle|json|pt|txt|bin))?(?:\\.(?:gz|zst|xz))?$"
                            + "|rank[_-]?(\\d+)[^/!]*$");

    /** The names of a dump's keys; one of them is in its first bytes, wherever it is cut off. */
    private static final Pattern KEYS =
            Pattern.compile(
                    "\"(?:pg_config|pg_status|comm_lib_version|collective_seq_id|p2p_seq_id|profiling_name)\"");

    /** What is kept of all dumps together: some 20 million entries. */
    private static final long MOST_KEPT = 900L << 20;

    private static final long ENTRY = 44;
    private static final long GROUP = 1_000;

    private final Once once = new Once();

    /**
     * True when the first bytes are those of a dump: a pickled dict, or JSON with a dump's keys.
     */
    public static boolean looksLike(byte[] head) {
        if (Pickle.looksLike(head)) {
            return true;
        }
        String text = new String(head, java.nio.charset.StandardCharsets.ISO_8859_1).stripLeading();
        return text.startsWith("{") && KEYS.matcher(text).find();
    }

    /** The rank that a dump's file name ends with: nccl_trace_rank_12, or null. */
    public static Integer rankOf(String file) {
        Matcher m = RANK.matcher(file);
        if (!m.find()) {
            return null;
        }
        String digits = m.group(1) != null ? m.group(1) : m.group(2);
        return digits.length() < 9 ? Integer.valueOf(digits) : null;
    }

    /** Reads a whole dump. */
    RankDump read(int rank, String file, byte[] data) throws TraceException {
        if (once.bytes() > MOST_KEPT) {
            throw new TraceException(
                    "the dumps read before it hold all that fits into memory; give fewer");
        }
        RankDump dump = new DumpConversion(rank, file, value(data), once).dump();
        once.add(ENTRY * dump.calls().size() + GROUP * dump.groups().size());
        return dump;
    }

    /** The plain values of a dump: dicts, lists, texts, numbers. */
    static Dict value(byte[] data) throws TraceException {
        Object value = Pickle.looksLike(data) ? Pickle.read(data) : JsonDump.read(data);
        if (!(value instanceof Dict top) || !(top.has("version") || top.has("entries"))) {
            throw new TraceException(
                    "it is no Flight Recorder dump: version and entries are missing");
        }
        return top;
    }
}
