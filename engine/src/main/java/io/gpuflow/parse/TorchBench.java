package io.gpuflow.parse;

import io.gpuflow.facts.BenchRow;
import io.gpuflow.parse.GpuflowLines.Event;
import java.util.ArrayList;
import java.util.List;

/** Reads what gpuflow's own collective benchmark, gpuflow_bench.py, prints. */
public final class TorchBench implements Parser<TorchBenchReport> {
    public static final String TOOL = "torch";

    @Override
    public String kind() {
        return "torch-bench";
    }

    @Override
    public int recognises(String head) {
        boolean row = head.contains("\"event\": \"row\"") && head.contains("\"busbw\"");
        return head.contains(GpuflowLines.MARK) && row ? 96 : 0;
    }

    @Override
    public TorchBenchReport parse(String text) {
        List<String> lines = Lines.of(text);
        GpuflowLines.Read read = GpuflowLines.of(lines);
        List<Noted> rows = new ArrayList<>();
        String op = null;
        Integer ranks = null;
        String backend = null;
        String torch = null;
        boolean ended = false;
        String why = null;
        String error = null;
        for (Event event : read.events()) {
            if (event.is("row") && event.large("bytes") != null && event.text("op") != null) {
                op = event.text("op");
                rows.add(Noted.at(row(event), event.line(), lines));
            } else if (event.is("stage") && event.whole("world") != null) {
                ranks = event.whole("world");
                backend = event.text("backend");
                torch = event.text("torch");
            } else if (event.is("end")) {
                op = event.text("op");
                ended = true;
                why = event.text("why");
            } else if (event.is("error") && error == null) {
                error = event.text("type") + ": " + event.text("text");
            }
        }
        if (rows.isEmpty() && error == null) {
            error = "no row of the benchmark was printed";
        }
        // One that says nothing at its end was cut off; one that left out sizes for want of time
        // says so.
        return new TorchBenchReport(
                op,
                ranks,
                backend,
                torch,
                ended && error == null,
                why,
                rows,
                error,
                read.unparsed());
    }

    private static BenchRow row(Event event) {
        return new BenchRow(
                TOOL,
                event.text("op"),
                event.large("bytes"),
                event.number("time_us"),
                event.number("algbw"),
                event.number("busbw"),
                event.large("wrong"),
                Boolean.TRUE.equals(event.flag("in_place")));
    }
}
