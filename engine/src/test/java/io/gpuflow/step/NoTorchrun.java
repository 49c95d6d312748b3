package io.gpuflow.step;

import io.gpuflow.tool.OutputLines;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;

/**
 * A machine whose torchrun fails as Debian 12's does, at once: importing PyTorch to find that out
 * takes longer than most tests.
 */
final class NoTorchrun extends Passing {
    NoTorchrun(Tools tools) {
        super(tools);
    }

    @Override
    public ToolResult run(ToolCall call, OutputLines lines) {
        if (!call.argv().contains("torch.distributed.run")) {
            return tools.run(call, lines);
        }
        String error =
                "  File \"torch/distributed/elastic/multiprocessing/api.py\", line 162, in to_map\n"
                        + "AttributeError: 'NoneType' object has no attribute 'get'\n";
        return new ToolResult(
                call.argv(), ToolResult.Outcome.EXITED, 1, "", error, null, null, 0.1, null);
    }
}
