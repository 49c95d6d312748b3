package io.gpuflow.baseline;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Host;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * Which machine it is, in hashes.
 *
 * @param host hash of the host's name, or null
 * @param gpus in order of index
 */
record Identity(String host, List<Baseline.Gpu> gpus) {
    /** Characters of a hash that are kept: 64 bits tell the GPUs of the world apart. */
    private static final int KEPT = 16;

    static Identity of(Collection<? extends Fact> facts) {
        String host =
                facts.stream()
                        .filter(Host.class::isInstance)
                        .map(f -> hash("host", ((Host) f).name()))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
        List<Baseline.Gpu> gpus =
                facts.stream()
                        .filter(Gpu.class::isInstance)
                        .map(Gpu.class::cast)
                        .distinct()
                        .sorted(Comparator.comparingInt(Gpu::index))
                        .map(g -> new Baseline.Gpu(g.index(), g.model(), hash("gpu", g.uuid())))
                        .toList();
        return new Identity(host, gpus);
    }

    /** Name of the machine's file: by its GPUs, else by its host; null when neither is known. */
    String key() {
        List<String> ids = gpus.stream().map(Baseline.Gpu::id).filter(Objects::nonNull).toList();
        return ids.isEmpty()
                ? host
                : hash("machine", String.join(" ", ids.stream().sorted().toList()));
    }

    /**
     * How well a baseline fits: the number of GPUs that are the same, and for the same host with
     * the same models one more; 0 when it is of another machine.
     */
    int likeness(Baseline baseline) {
        long same =
                gpus.stream()
                        .filter(g -> g.id() != null)
                        .filter(g -> baseline.gpus().stream().anyMatch(b -> g.id().equals(b.id())))
                        .count();
        boolean home =
                host != null
                        && host.equals(baseline.host())
                        && models(gpus).equals(models(baseline.gpus()));
        return (int) same * 2 + (home ? 1 : 0);
    }

    private static List<String> models(List<Baseline.Gpu> gpus) {
        return gpus.stream().map(g -> String.valueOf(g.model())).distinct().sorted().toList();
    }

    private static String hash(String kind, String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] bytes =
                    digest.digest(
                            ("gpuflow baseline " + kind + " " + text)
                                    .getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(bytes).substring(0, KEPT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
