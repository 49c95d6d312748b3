package io.gpuflow.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What others measured on a machine of the same kind; for comparison, never a threshold. The
 * figures and their sources stand in references.json.
 *
 * @param model part of the GPU's name
 * @param nvls whether the switch reduced
 * @param busbw GB/s
 */
record BusReference(
        String model, String op, int fewest, int most, boolean nvls, double busbw, String source) {

    /** The reference for this many GPUs of this model, or null. */
    static BusReference of(String model, String op, int gpus, boolean nvls) {
        String name = plain(model);
        for (BusReference reference : all()) {
            boolean fits = gpus >= reference.fewest && gpus <= reference.most;
            boolean same = reference.op.equals(op) && reference.nvls == nvls;
            if (fits && same && name.contains(plain(reference.model))) {
                return reference;
            }
        }
        return null;
    }

    private static String plain(String model) {
        // Whole words only: H200 is not GH200, MI300X not MI300.
        return " " + model.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", " ").strip() + " ";
    }

    static List<BusReference> all() {
        List<BusReference> all = new ArrayList<>();
        try (InputStream in = BusReference.class.getResourceAsStream("references.json")) {
            for (JsonNode r : new ObjectMapper().readTree(in).path("references")) {
                all.add(
                        new BusReference(
                                r.path("model").asText(),
                                r.path("op").asText(),
                                r.path("gpus").path(0).asInt(),
                                r.path("gpus").path(1).asInt(),
                                r.path("nvls").asBoolean(),
                                r.path("busbw").asDouble(),
                                r.path("source").asText()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /** "measured elsewhere on 2 × H200: 339 GB/s (source)". */
    String words() {
        return "measured elsewhere on "
                + machine()
                + ": "
                + LinkRate.gb(busbw)
                + " ("
                + source
                + ")";
    }

    /** On what, and who says so: "2 × H200 (source)". */
    String on() {
        return machine() + " (" + source + ")";
    }

    private String machine() {
        String gpus = fewest == most ? Integer.toString(fewest) : fewest + " to " + most;
        return gpus + " × " + model + (nvls ? " with NVLS" : "");
    }
}
