package io.gpuflow.advise;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * How fast a GPU works in training, of what it can do at most.
 *
 * @param matmul 16-bit matrix products, FLOP/s
 * @param fp32 matrix products in fp32 without TF32, FLOP/s
 * @param attention the flash kernel of scaled_dot_product_attention, FLOP/s
 * @param memory bytes per second that elementwise kernels move
 * @param because where the figures are from
 */
public record GpuSpeed(
        String model, double matmul, double fp32, double attention, double memory, String because) {

    /**
     * Share of the best matrix product seen on a GPU that a training step's products reach: 650 of
     * 794 TFLOP/s, from steps of ten models on one H200 (engine/bench/memory/h200-rows.jsonl).
     */
    private static final double OF_SEEN = 0.82;

    /** Share of a data sheet's rate, where nobody published what is reached: 0.82 × 794 / 989. */
    private static final double OF_SHEET = 0.66;

    /** The flash kernel reaches half of what matrix products do: 400 of 794 TFLOP/s, same steps. */
    private static final double ATTENTION = 0.5;

    private static final double FP32 = 0.7;
    private static final double MEMORY = 0.8;

    /** Null for a GPU whose figures are not known. */
    public static GpuSpeed of(String gpu) {
        if (gpu == null) {
            return null;
        }
        String name = plain(gpu);
        try (InputStream in = GpuSpeed.class.getResourceAsStream("speeds.json")) {
            for (JsonNode g : new ObjectMapper().readTree(in).path("gpus")) {
                if (name.contains(plain(g.path("model").asText()))) {
                    return of(g);
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static GpuSpeed of(JsonNode g) {
        boolean measured = g.path("measured").asBoolean();
        double tflops = g.path("matmul_tflops").asDouble();
        double share = measured ? OF_SEEN : OF_SHEET;
        double gbps = g.path("memory_gbps").asDouble();
        return new GpuSpeed(
                g.path("model").asText(),
                tflops * share * 1e12,
                g.path("fp32_tflops").asDouble() * FP32 * 1e12,
                tflops * ATTENTION * 1e12,
                gbps * MEMORY * 1e9,
                String.format(
                        Locale.ROOT,
                        "%s: matrix products at %.0f TFLOP/s (%.0f %% of the %.0f %s), memory at %.2f TB/s (80 %% of %.2f)",
                        g.path("model").asText(),
                        tflops * share,
                        share * 100,
                        tflops,
                        measured ? "seen at best" : "of the data sheet",
                        gbps * MEMORY / 1000,
                        gbps / 1000));
    }

    private static String plain(String name) {
        return " " + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", " ").strip() + " ";
    }
}
