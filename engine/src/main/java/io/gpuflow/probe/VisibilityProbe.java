package io.gpuflow.probe;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.HipOrder;
import io.gpuflow.facts.Mig;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Visibility;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which GPU a local rank gets: what CUDA_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES and
 * ROCR_VISIBLE_DEVICES leave of the GPUs, and in which order. Brings one fact, or none when no such
 * variable is set.
 */
final class VisibilityProbe implements FollowUp {
    @Override
    public String name() {
        return "visible-devices";
    }

    @Override
    public List<Observed> ask(Tools tools, List<Observed> known) {
        Map<String, String> env = tools.environment();
        List<Gpu> gpus = new ArrayList<>();
        for (Observed o : known) {
            if (o.fact() instanceof Gpu gpu && gpus.stream().noneMatch(g -> same(g, gpu))) {
                gpus.add(gpu);
            }
        }
        gpus.sort((a, b) -> Integer.compare(a.index(), b.index()));
        boolean amd = gpus.stream().anyMatch(g -> "amd".equals(g.vendor()));
        boolean nvidia = gpus.stream().anyMatch(g -> "nvidia".equals(g.vendor()));
        if (nvidia || !amd && env.containsKey("CUDA_VISIBLE_DEVICES")) {
            return cuda(env, nvidia ? gpus : null, known);
        }
        HipOrder order =
                known.stream()
                        .filter(o -> o.fact() instanceof HipOrder)
                        .map(o -> (HipOrder) o.fact())
                        .findFirst()
                        .orElse(null);
        return hip(env, amd ? gpus : null, order);
    }

    private static boolean same(Gpu a, Gpu b) {
        return a.index() == b.index();
    }

    private static List<Observed> cuda(
            Map<String, String> env, List<Gpu> gpus, List<Observed> known) {
        String variable = "CUDA_VISIBLE_DEVICES";
        String value = env.get(variable);
        if (value == null) {
            return List.of();
        }
        boolean partitioned =
                known.stream()
                        .anyMatch(
                                o -> o.fact() instanceof Mig m && Boolean.TRUE.equals(m.enabled()));
        boolean byIndex = !value.isBlank() && Character.isDigit(value.strip().charAt(0));
        boolean mixed =
                gpus != null && gpus.stream().map(Gpu::model).distinct().count() > 1 && byIndex;
        boolean byBus = "PCI_BUS_ID".equals(env.get("CUDA_DEVICE_ORDER"));
        if (value.strip().startsWith("MIG-")) {
            List<Integer> parent = gpus == null ? null : MigDevices.of(known).parent(value, gpus);
            String why = parent == null ? "nvidia-smi -L does not list this MIG device" : null;
            return told(variable, value, parent, why);
        }
        if (value.contains("MIG-") || partitioned) {
            return told(variable, value, null, "MIG devices: nvidia-smi -L lists them");
        }
        if (mixed && !byBus) {
            // CUDA numbers the fastest first, which nvidia-smi does not tell.
            String why =
                    "the GPUs differ and CUDA then numbers the fastest first; CUDA_DEVICE_ORDER="
                            + "PCI_BUS_ID makes CUDA's numbers those of nvidia-smi";
            return told(variable, value, null, why);
        }
        if (gpus == null) {
            return told(variable, value, null, "the GPUs are not known");
        }
        return told(variable, value, VisibleDevices.of(value, gpus), null);
    }

    /** ROCR_VISIBLE_DEVICES hides GPUs from the runtime; HIP's variable counts what is left. */
    private static List<Observed> hip(Map<String, String> env, List<Gpu> gpus, HipOrder order) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        List<Integer> byIndex = gpus == null ? null : gpus.stream().map(Gpu::index).toList();
        List<Integer> physical = byIndex == null || order == null ? byIndex : order.gpus();
        for (String name : List.of("ROCR_VISIBLE_DEVICES", hipVariable(env))) {
            String value = env.get(name);
            if (value == null) {
                continue;
            }
            names.add(name);
            values.add(value);
            if (physical != null) {
                List<Integer> before = physical;
                List<Gpu> left = gpus.stream().filter(g -> before.contains(g.index())).toList();
                List<Integer> places = VisibleDevices.placesOf(value, ordered(left, before));
                physical = places.stream().map(before::get).toList();
            }
        }
        if (names.isEmpty()) {
            boolean same = physical == null || physical.equals(byIndex);
            return same ? List.of() : told("HIP's own order", "", physical, null);
        }
        String why = physical == null ? "the GPUs are not known" : null;
        return told(String.join(" and ", names), String.join(" and ", values), physical, why);
    }

    /** HIP honours CUDA's variable when its own is not set. */
    private static String hipVariable(Map<String, String> env) {
        boolean own = env.containsKey("HIP_VISIBLE_DEVICES");
        return own || !env.containsKey("CUDA_VISIBLE_DEVICES")
                ? "HIP_VISIBLE_DEVICES"
                : "CUDA_VISIBLE_DEVICES";
    }

    private static List<Gpu> ordered(List<Gpu> gpus, List<Integer> order) {
        return order.stream()
                .map(i -> gpus.stream().filter(g -> g.index() == i).findFirst().orElseThrow())
                .toList();
    }

    private static List<Observed> told(
            String variable, String value, List<Integer> physical, String why) {
        List<Observed> facts = new ArrayList<>();
        facts.add(Answer.known(new Visibility(variable, value, physical), "environment"));
        if (why != null) {
            Unknown unknown = new Unknown("Visibility.physical", why);
            facts.add(Answer.known(unknown, "environment"));
        }
        return facts;
    }
}
