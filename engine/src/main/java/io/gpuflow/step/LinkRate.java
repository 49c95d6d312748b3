package io.gpuflow.step;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.NvLinkState;
import io.gpuflow.facts.PcieLink;
import java.util.Locale;
import java.util.Map;

/**
 * What one link carries per direction, GB/s (10⁹ bytes), after line coding.
 *
 * @param gbps null when it can't be told
 * @param because how it was told, or why it could not be
 */
record LinkRate(Double gbps, String because) {
    /**
     * NVLink by compute capability, for when nvidia-smi nvlink -s could not be read: GB/s of data
     * per link and direction. NVIDIA's data sheets: P100 4 × 20, V100 6 × 25, A100 12 × 25, RTX
     * 3090 and A6000 4 × 14.06, Hopper 18 × 25, Blackwell 18 × 50.
     */
    private static final Map<String, Double> NVLINK_BY_CAPABILITY =
            Map.of(
                    "6.0", 20.0, "7.0", 25.0, "8.0", 25.0, "8.6", 14.0625, "9.0", 25.0, "10.0",
                    50.0, "10.3", 50.0);

    /** Line rates with coding overhead, as nvidia-smi prints them, and the share that is data. */
    private static final double NVLINK4_RAW = 26.5625;

    private static final double NVLINK4_DATA_SHARE = 16.0 / 17;
    private static final double NVLINK2_RAW = 25.78125;
    private static final double NVLINK2_DATA_SHARE = 32.0 / 33;

    /**
     * PCIe GB/s per lane and direction by generation: 2.5 and 5 GT/s with 8b/10b, 8, 16 and 32 GT/s
     * with 128b/130b, 64 GT/s with 242 of 256 bytes a flit.
     */
    private static final double[] PCIE_LANE = {
        0,
        0.25,
        0.5,
        8 * 128 / 130.0 / 8,
        16 * 128 / 130.0 / 8,
        32 * 128 / 130.0 / 8,
        8 * 242 / 256.0
    };

    /**
     * Infinity Fabric per link and direction by model. AMD's data sheets, as MI300X: 7 × 64 = 448.
     */
    private static final Map<String, Double> XGMI_BY_MODEL =
            Map.of("MI250", 50.0, "MI300X", 64.0, "MI325X", 64.0, "MI350X", 76.8, "MI355X", 76.8);

    private static LinkRate unknown(String why) {
        return new LinkRate(null, why);
    }

    /** One NVLink of this GPU. */
    static LinkRate nvlink(KnownFacts facts, int gpu) {
        for (NvLinkState state : facts.all(NvLinkState.class)) {
            if (state.gpu() == gpu && state.gbpsPerLink() != null && state.gbpsPerLink() > 0) {
                return fromLineRate(state.gbpsPerLink());
            }
        }
        for (Gpu g : facts.all(Gpu.class)) {
            Double rate =
                    g.index() == gpu && g.computeCapability() != null
                            ? NVLINK_BY_CAPABILITY.get(g.computeCapability())
                            : null;
            if (rate != null) {
                return new LinkRate(
                        rate,
                        "an NVLink of compute capability "
                                + g.computeCapability()
                                + " carries "
                                + gb(rate)
                                + " per direction (data sheet; nvidia-smi nvlink -s did not tell)");
            }
        }
        return unknown(
                "the rate of an NVLink of GPU " + gpu + " is not known: nvidia-smi nvlink -s");
    }

    private static LinkRate fromLineRate(double raw) {
        for (int lanes = 1; lanes <= 4; lanes++) {
            if (near(raw, NVLINK4_RAW * lanes)) {
                return coded(raw, NVLINK4_DATA_SHARE, "16/17");
            }
        }
        if (near(raw, NVLINK2_RAW)) {
            return coded(raw, NVLINK2_DATA_SHARE, "32/33");
        }
        return new LinkRate(
                raw, "an NVLink carries " + gb(raw) + " per direction (nvidia-smi nvlink -s)");
    }

    private static LinkRate coded(double raw, double share, String words) {
        double data = Math.round(raw * share * 100) / 100.0;
        return new LinkRate(
                data,
                "an NVLink carries "
                        + gb(data)
                        + " of data per direction ("
                        + words
                        + " of the line rate "
                        + gb(raw)
                        + " that nvidia-smi nvlink -s prints)");
    }

    private static boolean near(double a, double b) {
        return Math.abs(a - b) < 0.005 * b;
    }

    /** One Infinity Fabric link of this model. */
    static LinkRate xgmi(String model) {
        if (model != null) {
            String upper = model.toUpperCase(Locale.ROOT);
            for (Map.Entry<String, Double> known : XGMI_BY_MODEL.entrySet()) {
                if (upper.contains(known.getKey())) {
                    return new LinkRate(
                            known.getValue(),
                            "an Infinity Fabric link of "
                                    + known.getKey()
                                    + " carries "
                                    + gb(known.getValue())
                                    + " per direction (data sheet; amd-smi did not tell)");
                }
            }
        }
        return unknown(
                "the rate of an Infinity Fabric link of "
                        + (model == null ? "this GPU" : model)
                        + " is not known: amd-smi topology, amd-smi xgmi -m");
    }

    /**
     * The PCIe link of this GPU. Width is the one in use now; generation is the highest both ends
     * can do, since an idle link trains down in generation and never in width.
     */
    static LinkRate pcie(KnownFacts facts, int gpu) {
        PcieLink link =
                facts.all(PcieLink.class).stream()
                        .filter(l -> l.gpu() == gpu)
                        .reduce((a, b) -> b)
                        .orElse(null);
        if (link == null) {
            return unknown("the PCIe link of GPU " + gpu + " is not known");
        }
        Integer gen = link.genMax() != null ? link.genMax() : link.genNow();
        Integer width = link.widthNow() != null ? link.widthNow() : link.widthMax();
        if (gen == null || width == null || gen < 1 || gen >= PCIE_LANE.length || width < 1) {
            return unknown("generation or width of the PCIe link of GPU " + gpu + " is not known");
        }
        double rate = PCIE_LANE[gen] * width;
        return new LinkRate(
                rate,
                "PCIe generation "
                        + gen
                        + " x"
                        + width
                        + " of GPU "
                        + gpu
                        + " carries "
                        + gb(rate)
                        + " per direction after line coding");
    }

    /** 25 GB/s, 14.06 GB/s. */
    static String gb(double gbps) {
        String text = String.format(Locale.ROOT, gbps >= 100 ? "%.0f" : "%.2f", gbps);
        if (text.contains(".")) {
            text = text.replaceAll("0+$", "").replaceAll("\\.$", "");
        }
        return text + " GB/s";
    }
}
