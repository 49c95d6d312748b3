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
        Boolean restricted = restricted(tools, known, found.kind(), hints);
        if (found.kind() == null && restricted == null) {
            return List.of(Answer.unknown("Container", found.why(), "/proc"));
        }
        List<Observed> facts = new ArrayList<>();
        Container container = new Container(found.kind(), restricted, hints);
        facts.add(Answer.known(container, "container hints"));
        if (found.kind() == null) {
            facts.add(Answer.unknown("Container.kind", found.why(), "/proc"));
        }
        return facts;
    }

    /**
     * True when GPUs are hidden, false when every known GPU is seen; null when there is no GPU
     * whose hiding could be noticed, or /sys can't be listed.
     *
     * @param hints gets what is hidden, in words
     */
    private static Boolean restricted(
            Tools tools, List<Observed> known, String kind, List<String> hints) {
        List<String> busIds =
                known.stream()
                        .filter(o -> o.fact() instanceof Gpu)
                        .map(o -> ((Gpu) o.fact()).busId())
                        .filter(b -> b != null)
                        .distinct()
                        .toList();
        long nodes = known.stream().filter(ContainerProbe::isGpuNode).count();
        boolean contained = kind != null && !kind.equals("none");
        if (busIds.isEmpty()) {
            if (nodes > 0 && contained) {
                hints.add("/dev has " + nodes + " GPU device files, but no tool tells the GPUs");
                return true;
            }
            return null;
        }
        try {
            List<String> devices = tools.glob(PCI);
            List<String> missing =
                    busIds.stream()
                            .filter(b -> devices.stream().noneMatch(d -> d.endsWith("/" + b)))
                            .toList();
            if (!missing.isEmpty()) {
                hints.add("/sys/bus/pci does not show the GPU " + String.join(", ", missing));
            }
            return !missing.isEmpty();
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
