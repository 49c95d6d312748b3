package io.gpuflow.step;

import io.gpuflow.facts.Torch;
import io.gpuflow.parse.TorchReport;
import io.gpuflow.tool.LiveTools;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * The PyTorch of this machine; tests that need one are skipped, and say so, where there is none.
 */
final class RealTorch {
    private static final String ASK =
            "import json, sys, torch, torch.distributed as d\n"
                    + "print('"
                    + TorchReport.MARK
                    + "' + json.dumps({'python': sys.executable, 'torch': torch.__version__, 'device_count': 0,"
                    + " 'distributed': d.is_available(), 'nccl': False, 'gloo': True}))\n";

    private static Torch found;
    private static boolean asked;

    private RealTorch() {}

    /** As if it saw no GPU: these tests run over gloo. */
    static synchronized Torch onCpu() {
        if (!asked) {
            asked = true;
            found = ask();
        }
        Assumptions.assumeTrue(
                found != null,
                "skipped: no PyTorch for python3 or /usr/bin/python3 on this machine");
        return found;
    }

    private static Torch ask() {
        try (LiveTools tools = new LiveTools(null)) {
            for (String python : List.of("/usr/bin/python3", "python3")) {
                ToolResult result =
                        tools.run(ToolCall.of(Duration.ofSeconds(60), python, "-c", ASK));
                Torch torch = new TorchReport().parse(result.stdout()).torch();
                if (result.ok() && torch != null) {
                    return torch;
                }
            }
        }
        return null;
    }
}
