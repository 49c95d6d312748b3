package io.gpuflow.probe;

import io.gpuflow.facts.DeviceNode;
import io.gpuflow.facts.GpuFabric;
import io.gpuflow.facts.Imex;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.ImexParser;
import io.gpuflow.parse.Report;
import io.gpuflow.tool.Tools;
import java.util.List;

/**
 * {@code nvidia-imex-ctl -N} and the channel device. Asked only where a GPU belongs to a cluster of
 * NVLink-joined machines; anywhere else IMEX has nothing to do.
 */
final class ImexProbe implements FollowUp {
    private static final String CHANNELS = "/dev/nvidia-caps-imex-channels/*";

    @Override
    public String name() {
        return "imex";
    }

    @Override
    public List<Observed> ask(Tools tools, List<Observed> known) {
        boolean clustered =
                known.stream().anyMatch(o -> o.fact() instanceof GpuFabric f && clustered(f));
        if (!clustered) {
            return List.of();
        }
        Boolean channel = channel(tools, known);
        Answer<? extends Report> answer =
                Answer.of(tools, new ImexParser(), "nvidia-imex-ctl", "-N");
        Imex domain = null;
        for (Observed o : answer.ok() ? answer.facts(List.of()) : List.<Observed>of()) {
            domain = o.fact() instanceof Imex imex ? imex : domain;
        }
        if (domain != null) {
            Imex whole =
                    new Imex(domain.domainState(), domain.nodesReady(), domain.nodes(), channel);
            return List.of(Answer.known(whole, answer.source()));
        }
        String why = answer.ok() ? "nvidia-imex-ctl did not tell the domain's state" : answer.why();
        return List.of(
                Answer.known(new Imex(null, null, null, channel), CHANNELS),
                Answer.unknown("Imex.domainState", why, answer.source()));
    }

    /** A cluster UUID of zeros is how a machine without multi-node NVLink is printed. */
    private static boolean clustered(GpuFabric fabric) {
        String uuid = fabric.clusterUuid();
        return uuid != null && uuid.matches(".*[1-9a-fA-F].*");
    }

    /** Whether a channel is there that this user may open; null when /dev can't be listed. */
    private static Boolean channel(Tools tools, List<Observed> known) {
        try {
            if (tools.glob(CHANNELS).isEmpty()) {
                return false;
            }
        } catch (Tools.NotKnown e) {
            return null;
        }
        List<Boolean> readable =
                known.stream()
                        .filter(
                                o ->
                                        o.fact() instanceof DeviceNode n
                                                && n.path().startsWith("/dev/nvidia-caps-imex"))
                        .map(o -> ((DeviceNode) o.fact()).readable())
                        .toList();
        return readable.contains(true) ? Boolean.TRUE : readable.contains(false) ? false : null;
    }
}
