package io.gpuflow.parse;

import io.gpuflow.parse.BenchTable.Cells;
import io.gpuflow.parse.BenchTable.Row;
import java.util.List;
import java.util.Map;

/**
 * The file that nccl-tests writes with -J (2.17.1 and up; the first versions spell "bandwidith"),
 * and the list of rows that rccl-tests writes.
 */
final class NcclTestsJson {
    private NcclTestsJson() {}

    /** The run, or null when the JSON is not one. */
    static BenchTable read(JsonTree json) {
        Object root = json.root();
        if (JsonTree.get(root, "results") instanceof List<?> && root instanceof Map<?, ?>) {
            return readNccl(root, json.whole());
        }
        List<?> list = JsonTree.list(root);
        if (!list.isEmpty() && JsonTree.get(list.get(0), "busBw") != null) {
            return readRccl(list, json.whole());
        }
        return null;
    }

    private static BenchTable readNccl(Object root, boolean whole) {
        BenchTable table = new BenchTable();
        List<?> args = JsonTree.list(JsonTree.get(root, "args"));
        table.test = args.isEmpty() ? null : CollectiveName.ofProgram(String.valueOf(args.get(0)));
        table.ncclVersion = version(JsonTree.integer(JsonTree.get(root, "nccl_version")));
        Object config = JsonTree.get(root, "config");
        table.threads = JsonTree.integer(JsonTree.get(config, "nthreads"));
        table.gpusPerThread = JsonTree.integer(JsonTree.get(config, "ngpus"));
        Long validation = JsonTree.integer(JsonTree.get(config, "validation"));
        table.validation = validation == null ? null : Boolean.valueOf(validation != 0);
        for (Object device : JsonTree.list(JsonTree.get(config, "devices"))) {
            readDevice(device, table);
        }
        for (Object result : JsonTree.list(JsonTree.get(root, "results"))) {
            readResult(result, table);
        }
        Object bounds = JsonTree.get(root, "out_of_bounds");
        table.outOfBounds = JsonTree.integer(JsonTree.get(bounds, "count"));
        table.outOfBoundsStatus = status(JsonTree.get(bounds, "okay"));
        Object average = JsonTree.get(root, "average_bus_bandwidth");
        average = average == null ? JsonTree.get(root, "average_bus_bandwidith") : average;
        table.average = JsonTree.number(JsonTree.get(average, "bandwidth"));
        if (table.average == null) {
            table.average = JsonTree.number(JsonTree.get(average, "bandwidith"));
        }
        table.averageStatus = status(JsonTree.get(average, "okay"));
        table.completed = average != null && (whole || table.average != null);
        for (Object error : JsonTree.list(JsonTree.get(root, "errors"))) {
            String text = JsonTree.text(error);
            if (text != null && !text.isEmpty()) {
                table.failures.add(Excerpt.of(text));
            }
        }
        if (table.test == null) {
            table.test = CollectiveName.of(table);
        }
        return table;
    }

    private static void readDevice(Object device, BenchTable table) {
        Long rank = JsonTree.integer(JsonTree.get(device, "rank"));
        String host = JsonTree.text(JsonTree.get(device, "hostname"));
        String name = JsonTree.text(JsonTree.get(device, "device_info"));
        if (rank != null && rank >= 0) {
            table.devices.putIfAbsent(rank, name == null ? "" : name);
        }
        if (host != null) {
            table.hosts.add(host);
        }
    }

    private static void readResult(Object result, BenchTable table) {
        Long bytes = JsonTree.integer(JsonTree.get(result, "size"));
        if (bytes == null) {
            return;
        }
        table.rows.add(
                new Row(
                        bytes,
                        JsonTree.integer(JsonTree.get(result, "count")),
                        JsonTree.text(JsonTree.get(result, "type")),
                        JsonTree.text(JsonTree.get(result, "redop")),
                        JsonTree.integer(JsonTree.get(result, "root")),
                        cells(JsonTree.get(result, "out_of_place")),
                        cells(JsonTree.get(result, "in_place")),
                        0));
    }

    private static Cells cells(Object place) {
        if (place == null) {
            return null;
        }
        Object time = JsonTree.get(place, "time");
        time = time == null ? JsonTree.get(place, "cpu_time") : time;
        Double wrong = JsonTree.number(JsonTree.get(place, "nwrong"));
        return new Cells(
                JsonTree.number(time),
                JsonTree.number(JsonTree.get(place, "alg_bw")),
                JsonTree.number(JsonTree.get(place, "bus_bw")),
                wrong == null ? null : Long.valueOf(Math.round(wrong)));
    }

    private static String status(Object okay) {
        String word = JsonTree.text(okay);
        if (word == null || word.equals("unchecked")) {
            return null;
        }
        return word.equals("true") ? "OK" : "FAILED";
    }

    /** 22809 is 2.28.9; before 2.9 the code had two digits less: 2804 is 2.8.4. */
    static String version(Long code) {
        if (code == null || code < 1000 || code > 999_999) {
            return null;
        }
        long major = code >= 10_000 ? code / 10_000 : code / 1000;
        long minor = code >= 10_000 ? code / 100 % 100 : code / 100 % 10;
        return major + "." + minor + "." + code % 100;
    }

    /** 12080 is CUDA 12.8. */
    static String cudaVersion(String code) {
        Long number = Numbers.integer(code);
        boolean known = number != null && number >= 8000 && number < 100_000;
        return known ? number / 1000 + "." + number % 1000 / 10 : null;
    }

    private static BenchTable readRccl(List<?> list, boolean whole) {
        BenchTable table = new BenchTable();
        table.tool = "rccl-tests";
        Row last = null;
        for (Object entry : list) {
            Long bytes = JsonTree.integer(JsonTree.get(entry, "size"));
            if (bytes == null) {
                continue;
            }
            String name = JsonTree.text(JsonTree.get(entry, "name"));
            table.test = name == null || table.test != null ? table.test : named(name);
            Long ranks = JsonTree.integer(JsonTree.get(entry, "ranks"));
            if (ranks != null && ranks > 0 && ranks < 1 << 24) {
                table.ranksTold = ranks.intValue();
            }
            last = add(entry, bytes, last, table);
        }
        table.completed = whole && !table.rows.isEmpty();
        return table;
    }

    private static String named(String name) {
        String program = CollectiveName.ofProgram(name);
        return program == null ? CollectiveName.known(name) : program;
    }

    /** Adds a measurement, joining it with the other placement of the same size. */
    private static Row add(Object entry, long bytes, Row last, BenchTable table) {
        Double wrong = JsonTree.number(JsonTree.get(entry, "wrong"));
        Cells cells =
                new Cells(
                        JsonTree.number(JsonTree.get(entry, "time")),
                        JsonTree.number(JsonTree.get(entry, "algBw")),
                        JsonTree.number(JsonTree.get(entry, "busBw")),
                        wrong == null ? null : Long.valueOf(Math.round(wrong)));
        Long place = JsonTree.integer(JsonTree.get(entry, "inPlace"));
        boolean inPlace = place != null && place == 1;
        String type = JsonTree.text(JsonTree.get(entry, "type"));
        String op = JsonTree.text(JsonTree.get(entry, "redop"));
        boolean joins = inPlace && last != null && last.bytes() == bytes && last.inPlace() == null;
        Row row =
                joins
                        ? new Row(bytes, null, type, op, null, last.outOfPlace(), cells, 0)
                        : new Row(
                                bytes,
                                null,
                                type,
                                op,
                                null,
                                inPlace ? null : cells,
                                inPlace ? cells : null,
                                0);
        if (joins) {
            table.rows.remove(table.rows.size() - 1);
        }
        table.rows.add(row);
        return row;
    }
}
