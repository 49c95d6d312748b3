package io.gpuflow.facts;

/** How the GPUs of one machine are joined, seen as a whole. */
public enum LinkClass {
    SINGLE("single"),
    PCIE_ONLY("pcie-only"),
    NVLINK_PAIRS("nvlink-pairs"),
    NVLINK_PARTIAL("nvlink-partial"),
    NVLINK_FULL_MESH("nvlink-full-mesh"),
    NVSWITCH_ALL_TO_ALL("nvswitch-all-to-all"),
    XGMI_ALL_TO_ALL("xgmi-all-to-all"),
    XGMI_PARTIAL("xgmi-partial"),
    UNKNOWN("unknown");

    private final String label;

    LinkClass(String label) {
        this.label = label;
    }

    /** The word used in JSON, rules and messages. */
    public String label() {
        return label;
    }

    /** True when every pair of GPUs is joined by NVLink or Infinity Fabric. */
    public boolean allToAll() {
        return this == NVLINK_FULL_MESH || this == NVSWITCH_ALL_TO_ALL || this == XGMI_ALL_TO_ALL;
    }

    @Override
    public String toString() {
        return label;
    }
}
