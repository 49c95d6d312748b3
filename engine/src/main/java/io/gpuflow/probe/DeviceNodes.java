package io.gpuflow.probe;

import io.gpuflow.facts.DeviceNode;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Unknown;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Device files of GPUs, IMEX channels and RDMA adapters. They are listed, never opened: opening a
 * GPU's file sets the GPU up.
 */
final class DeviceNodes implements Probe {
    static final List<String> GLOBS =
            List.of(
                    "/dev/nvidia[0-9]*",
                    "/dev/nvidiactl",
                    "/dev/nvidia-uvm*",
                    "/dev/nvidia-nvswitch*",
                    "/dev/nvidia-caps-imex-channels/*",
                    "/dev/infiniband/*",
                    "/dev/kfd",
                    "/dev/dri/*",
                    "/dev/dxg");

    /** Files without which no program uses the vendor's GPUs; their absence is a fact. */
    private static final List<String> NEEDED =
            List.of("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/kfd");

    @Override
    public String name() {
        return "device-nodes";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(DeviceNode.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<String> present = new ArrayList<>();
        List<Observed> facts = new ArrayList<>();
        for (String glob : GLOBS) {
            try {
                List<String> found = tools.glob(glob);
                present.addAll(found);
                if (NEEDED.contains(glob) && found.isEmpty()) {
                    facts.add(Answer.known(new DeviceNode(glob, false, null), glob));
                }
            } catch (Tools.NotKnown e) {
                facts.add(Answer.unknown("DeviceNode(" + glob + ")", e.getMessage(), glob));
            }
        }
        if (facts.stream().filter(o -> o.fact() instanceof Unknown).count() == GLOBS.size()) {
            Observed first = facts.get(0);
            return Answer.unknown(brings(), ((Unknown) first.fact()).why(), first.source().text());
        }
        if (present.isEmpty()) {
            return facts;
        }
        Set<String> readable = readable(tools, present);
        for (String path : present) {
            Boolean mine = readable == null ? null : readable.contains(path);
            facts.add(Answer.known(new DeviceNode(path, true, mine), path));
        }
        return facts;
    }

    /** Those that this user may open, by their permissions; null when find can't tell. */
    private static Set<String> readable(Tools tools, List<String> paths) {
        List<String> argv = new ArrayList<>(List.of("find"));
        argv.addAll(paths);
        argv.addAll(List.of("-maxdepth", "0", "-readable", "-writable"));
        ToolResult result = tools.run(ToolCall.of(Answer.LIMIT, argv.toArray(String[]::new)));
        return result.ok() ? Set.copyOf(result.stdout().lines().distinct().toList()) : null;
    }
}
