package io.gpuflow.parse;

/** The words of nvidia-smi topo -p2p; DR (disabled by registry key) since driver 610. */
final class StatusWords implements DeviceTable.Words {
    @Override
    public boolean isGpu(String word) {
        return GpuLabel.is(word);
    }

    @Override
    public boolean isCell(String word) {
        return switch (word) {
            case "X", "OK", "CNS", "GNS", "TNS", "NS", "DR", "U" -> true;
            default -> false;
        };
    }
}
