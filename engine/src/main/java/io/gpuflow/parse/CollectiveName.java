package io.gpuflow.parse;

import io.gpuflow.parse.BenchTable.Cells;
import io.gpuflow.parse.BenchTable.Row;
import java.util.List;

/**
 * Tells which collective a table measures. Newer versions print the program's name; older ones are
 * told by their columns, by how the element count relates to the size, and by the factor between
 * bus and algorithm bandwidth. Null when these leave more than one.
 */
final class CollectiveName {
    private static final List<String> NAMES =
            List.of(
                    "all_reduce_bias",
                    "all_reduce",
                    "all_gather",
                    "alltoallv",
                    "alltoall",
                    "broadcast",
                    "gather",
                    "hypercube",
                    "reduce_scatter",
                    "reduce",
                    "scatter",
                    "sendrecv");

    private CollectiveName() {}

    /** From a program's name or path: …/build/all_reduce_perf; null when it is none of them. */
    static String ofProgram(String word) {
        int end = word.indexOf("_perf");
        if (end < 0) {
            return null;
        }
        int start = Math.max(word.lastIndexOf('/', end), word.lastIndexOf('\\', end)) + 1;
        return known(word.substring(start, end));
    }

    /** From a name in any spelling: AllReduce, all-reduce, allreduce. */
    static String known(String name) {
        String plain = plain(name);
        for (String known : NAMES) {
            if (plain(known).equals(plain)) {
                return known;
            }
        }
        return null;
    }

    private static String plain(String name) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                plain.append((char) (c + 32));
            } else if (c >= 'a' && c <= 'z') {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    static String of(BenchTable table) {
        Row row = table.largest();
        if (row == null || row.count() == null || row.type() == null) {
            return null;
        }
        Cells cells = row.outOfPlace() != null ? row.outOfPlace() : row.inPlace();
        long elements = row.bytes() / Math.max(1, sizeOf(row.type()));
        boolean whole = sizeOf(row.type()) > 0 && row.count() == elements;
        double factor = factor(cells);
        boolean reduces = row.op() != null && !row.op().equals("none");
        boolean rooted = row.root() != null && row.root() >= 0;
        if (factor == 0) {
            return rooted && reduces ? "reduce" : null;
        }
        if (rooted) {
            return reduces ? "reduce" : whole ? "broadcast" : null;
        }
        if (reduces) {
            return whole ? reduceOrSend(table, factor) : "reduce_scatter";
        }
        if (whole) {
            return factor > 0.99 && factor < 1.01 ? "sendrecv" : null;
        }
        return gatherOrAllToAll(table);
    }

    /**
     * sendrecv prints a reduction too since 2.13, and never checks in place. Otherwise the factor
     * tells: 2(n−1)/n is 1 for two ranks only; with more, a factor of 1 is a plain transfer.
     */
    private static String reduceOrSend(BenchTable table, double factor) {
        if (uncheckedInPlace(table)) {
            return "sendrecv";
        }
        if (table.wrong() != null || factor > 1.01 || isOld(table)) {
            return "all_reduce";
        }
        Integer ranks = table.ranks();
        return ranks == null ? null : ranks > 2 ? "sendrecv" : "all_reduce";
    }

    /** Before 2.13 each test had a heading of its own, with a column of float errors. */
    private static boolean isOld(BenchTable table) {
        return table.columns.contains("error") || table.columns.contains("res");
    }

    /**
     * Both have the factor (n−1)/n; only alltoall never checks in place, and old headers differ.
     */
    private static String gatherOrAllToAll(BenchTable table) {
        if (isOld(table)) {
            return table.columns.contains("redop") || table.columns.contains("op")
                    ? "alltoall"
                    : "all_gather";
        }
        if (uncheckedInPlace(table)) {
            return "alltoall";
        }
        return table.wrong() != null ? "all_gather" : null;
    }

    /** True when results out of place were checked and those in place never. */
    private static boolean uncheckedInPlace(BenchTable table) {
        boolean out = false;
        boolean in = false;
        for (Row row : table.rows) {
            out |= row.outOfPlace() != null && row.outOfPlace().wrong() != null;
            in |= row.inPlace() == null || row.inPlace().wrong() != null;
        }
        return out && !in;
    }

    /** busbw / algbw of the largest message; 0 when it can't be told. */
    private static double factor(Cells cells) {
        if (cells == null
                || cells.algbw() == null
                || cells.busbw() == null
                || cells.algbw() < 0.05) {
            return 0;
        }
        return cells.busbw() / cells.algbw();
    }

    /** The number of ranks that the factor of the largest message tells, or null. */
    static Integer ranks(BenchTable table) {
        Row row = table.largest();
        if (row == null || table.test == null) {
            return null;
        }
        double factor = factor(row.outOfPlace() != null ? row.outOfPlace() : row.inPlace());
        double share =
                switch (table.test) {
                    case "all_reduce" -> factor / 2;
                    case "all_gather", "reduce_scatter", "alltoall" -> factor;
                    default -> 0;
                };
        if (share <= 0.4 || share >= 0.99) {
            return null;
        }
        int ranks = (int) Math.round(1 / (1 - share));
        return Math.abs((ranks - 1.0) / ranks - share) < 0.001 ? Integer.valueOf(ranks) : null;
    }

    /** Bytes of an element, or 0 when the type is not known. */
    static int sizeOf(String type) {
        return switch (type) {
            case "float", "int32", "uint32", "int", "float32" -> 4;
            case "half", "bfloat16", "float16", "bf16", "fp16" -> 2;
            case "double", "int64", "uint64", "float64" -> 8;
            case "int8", "uint8", "char" -> 1;
            default -> type.startsWith("f8") || type.startsWith("fp8") ? 1 : 0;
        };
    }

    static boolean isType(String word) {
        return sizeOf(word) > 0;
    }
}
