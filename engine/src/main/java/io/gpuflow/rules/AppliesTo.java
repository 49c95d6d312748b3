package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Topology;
import java.util.Collection;

/**
 * The machines on which a rule's silence means something. A rule about NVLink is not "unknown" on
 * an AMD server, nor one about pairs on a machine with a single GPU.
 *
 * @param vendor nvidia or amd, or null for any
 * @param minGpus fewest GPUs; 0 when it applies without any
 */
public record AppliesTo(String vendor, int minGpus) {
    public static final AppliesTo ANY = new AppliesTo(null, 0);

    /** Whether the known facts rule this machine out; false when that is not known. */
    public boolean ruledOutBy(Collection<? extends Fact> facts) {
        long gpus = facts.stream().filter(Gpu.class::isInstance).count();
        boolean ofVendor =
                facts.stream().anyMatch(f -> f instanceof Gpu g && (vendor == null || isVendor(g)));
        if (gpus > 0) {
            return !ofVendor || gpus < minGpus;
        }
        return facts.stream().anyMatch(f -> f instanceof Topology t && tooFew(t.gpuCount()));
    }

    private boolean isVendor(Gpu gpu) {
        return gpu.vendor() == null || gpu.vendor().equals(vendor);
    }

    private boolean tooFew(int gpus) {
        return gpus > 0 && gpus < minGpus;
    }

    /** In words, for {@code why-not}: "machines with 2 or more NVIDIA GPUs". */
    @Override
    public String toString() {
        String name = vendor == null ? "GPUs" : vendor.toUpperCase(java.util.Locale.ROOT) + " GPUs";
        return minGpus > 1
                ? "machines with " + minGpus + " or more " + name
                : "machines with " + name;
    }
}
