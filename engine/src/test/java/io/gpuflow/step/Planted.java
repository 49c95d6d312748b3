package io.gpuflow.step;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.tool.OutputLines;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Plants a fault into the copy of a script that is about to run. The script itself has none. */
final class Planted extends Passing {
    private final String script;
    private final String before;
    private final String after;

    /** Replaces {@code before}, which must be there, by {@code after}. */
    Planted(Tools tools, String script, String before, String after) {
        super(tools);
        this.script = script;
        this.before = before;
        this.after = after;
    }

    /** Rank 1 does this when it should begin to train. */
    static Planted inTraining(Tools tools, String python) {
        String begin = "    from torch.nn.parallel import DistributedDataParallel\n";
        String fault =
                "    if r.rank() == 1:\n        " + python.replace("\n", "\n        ") + "\n";
        return new Planted(
                tools, Scripts.SMOKE, begin, "    import signal, subprocess\n" + fault + begin);
    }

    @Override
    public ToolResult run(ToolCall call, OutputLines lines) {
        Path file = call.folder() == null ? null : call.folder().resolve(script);
        if (file != null && Files.exists(file)) {
            try {
                String text = Files.readString(file);
                if (!text.contains(after)) {
                    assertTrue(
                            text.contains(before), "the place for the fault has moved: " + before);
                    Files.writeString(file, text.replace(before, after));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return tools.run(call, lines);
    }
}
