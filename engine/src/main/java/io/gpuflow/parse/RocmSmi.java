package io.gpuflow.parse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.gpuflow.facts.Driver;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code rocm-smi --showproductname --showuniqueid --showbus --showmeminfo vram
 * --showdriverversion --json}: an object {@code card0}, {@code card1} … and {@code system}.
 */
public final class RocmSmi implements Parser<RocmSmi.Reading> {
    private static final Pattern CARD = Pattern.compile("card(\\d{1,4})");

    /** The GPUs of the machine. */
    public record Reading(String driverVersion, List<Gpu> gpus, String error, List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            List<Fact> facts = new ArrayList<>(gpus);
            if (driverVersion != null) {
                facts.add(new Driver("amd", driverVersion, null));
            }
            Source source = Source.of(sourceName);
            return facts.stream().map(f -> new Observed(f, source)).toList();
        }
    }

    @Override
    public String kind() {
        return "rocm-smi";
    }

    @Override
    public int recognises(String head) {
        boolean card = head.contains("\"card0\"") || head.contains("\"system\"");
        boolean ours = head.contains("\"PCI Bus\"") || head.contains("\"Unique ID\"");
        return card && ours ? 85 : 0;
    }

    @Override
    public Reading parse(String text) {
        JsonNode document;
        try {
            document = AmdJson.read(text);
        } catch (JsonProcessingException e) {
            List<String> lines =
                    Lines.of(text).stream().filter(l -> !l.isBlank()).limit(100).toList();
            return new Reading(null, List.of(), e.getOriginalMessage(), lines);
        }
        List<Gpu> gpus = new ArrayList<>();
        for (Iterator<Map.Entry<String, JsonNode>> all = document.fields(); all.hasNext(); ) {
            Map.Entry<String, JsonNode> entry = all.next();
            Matcher m = CARD.matcher(entry.getKey());
            if (m.matches()) {
                gpus.add(gpu(Integer.parseInt(m.group(1)), entry.getValue()));
            }
        }
        return new Reading(
                AmdJson.at(document, "system/Driver version"),
                gpus,
                gpus.isEmpty() ? "no GPU listed" : null,
                AmdJson.before(text));
    }

    private static Gpu gpu(int index, JsonNode card) {
        return new Gpu(
                index,
                "amd",
                AmdJson.at(card, "Card Series", "Card series", "Card Model", "Card model"),
                uuid(AmdJson.at(card, "Unique ID")),
                PciAddress.of(AmdJson.at(card, "PCI Bus")),
                Quantity.bytes(AmdJson.at(card, "VRAM Total Memory (B)")),
                AmdJson.at(card, "GFX Version"),
                null);
    }

    /** HIP_VISIBLE_DEVICES knows the unique id 0x1234 as GPU-1234. */
    private static String uuid(String uniqueId) {
        return uniqueId == null || !uniqueId.startsWith("0x")
                ? uniqueId
                : "GPU-" + uniqueId.substring(2).toLowerCase(Locale.ROOT);
    }
}
