package io.gpuflow.probe;

import io.gpuflow.facts.Container;
import io.gpuflow.facts.DeviceNode;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Observed;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether a container, sandbox or virtual machine hides hardware, so that nothing may be concluded
 * from what is not seen.
 */
final class ContainerProbe implements FollowUp {
    private static final String PCI = "/sys/bus/pci/devices/*";

    @Override
    public String name() {
        return "container";
    }

    @Override
    public List<Observed> ask(Tools tools, List<Observed> known) {
        ContainerHints.Found found = ContainerHints.look(tools);
        List<String> hints = new ArrayList<>(found.hints());
        String hidden = hidden(tools, known, found.kind());
        if (hidden != null) {
            hints.add(hidden);
        }
        if (found.kind() == null) {
            return List.of(Answer.unknown("Container", found.why(), "/proc"));
        }
        Boolean restricted = hidden != null ? Boolean.TRUE : told(known) ? Boolean.FALSE : null;
        Container container = new Container(found.kind(), restricted, hints);
        return List.of(Answer.known(container, "container hints"));
    }

    /** Without a GPU there is nothing whose hiding could be noticed. */
    private static boolean told(List<Observed> known) {
        return known.stream().anyMatch(o -> o.fact() instanceof Gpu);
    }

    /** What is hidden, in words, or null. */
    private static String hidden(Tools tools, List<Observed> known, String kind) {
        List<String> busIds =
                known.stream()
                        .filter(o -> o.fact() instanceof Gpu)
                        .map(o -> ((Gpu) o.fact()).busId())
                        .filter(b -> b != null)
                        .distinct()
                        .toList();
        long nodes = known.stream().filter(o -> isGpuNode(o)).count();
        if (busIds.isEmpty() && nodes > 0 && kind != null && !kind.equals("none")) {
            return "/dev has " + nodes + " GPU device files, but no tool tells the GPUs";
        }
        if (busIds.isEmpty()) {
            return null;
        }
        try {
            List<String> devices = tools.glob(PCI);
            List<String> missing =
                    busIds.stream()
                            .filter(b -> devices.stream().noneMatch(d -> d.endsWith("/" + b)))
                            .toList();
            return missing.isEmpty()
                    ? null
                    : "/sys/bus/pci does not show the GPU " + String.join(", ", missing);
        } catch (Tools.NotKnown e) {
            return null;
        }
    }

    private static boolean isGpuNode(Observed observed) {
        return observed.fact() instanceof DeviceNode n
                && n.present()
                && n.path().matches("/dev/nvidia\\d+|/dev/dri/renderD\\d+|/dev/dxg");
    }
}
