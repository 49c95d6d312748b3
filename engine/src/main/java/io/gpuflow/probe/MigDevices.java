package io.gpuflow.probe;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Mig;
import io.gpuflow.facts.Observed;
import java.util.ArrayList;
import java.util.List;

/**
 * Which GPU a MIG device is a part of. CUDA opens one MIG device in a process, the first that is
 * named, whatever follows it (NVIDIA's MIG User Guide, "CUDA Device Enumeration").
 */
final class MigDevices {
    private static final String PREFIX = "MIG-";

    private final List<Mig> partitions;

    private MigDevices(List<Mig> partitions) {
        this.partitions = partitions;
    }

    static MigDevices of(List<Observed> known) {
        List<Mig> partitions = new ArrayList<>();
        for (Observed observed : known) {
            if (observed.fact() instanceof Mig mig) {
                partitions.add(mig);
            }
        }
        return new MigDevices(partitions);
    }

    /**
     * The index of the GPU that the first named device is a part of, alone in a list; null when it
     * can't be told.
     */
    List<Integer> parent(String value, List<Gpu> gpus) {
        String device = value.split(",", -1)[0].strip();
        // Drivers before 470 name the GPU itself: MIG-GPU-<uuid>/<instance>/<instance>.
        if (device.startsWith(PREFIX + "GPU-")) {
            String uuid = device.substring(PREFIX.length()).replaceFirst("/.*", "");
            List<Integer> found = VisibleDevices.of(uuid, gpus);
            return found.isEmpty() ? null : found;
        }
        Integer parent = null;
        for (Mig mig : partitions) {
            for (String uuid : mig.uuids() == null ? List.<String>of() : mig.uuids()) {
                boolean other = parent != null && parent != mig.gpu();
                if (uuid.startsWith(device) && other) {
                    return null;
                }
                parent = uuid.startsWith(device) ? Integer.valueOf(mig.gpu()) : parent;
            }
        }
        return parent == null ? null : List.of(parent);
    }
}
