package io.gpuflow.rules;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpuflow.facts.Verdict;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All rule.yaml cards in one file, written at build time, so that start-up reads no YAML. Reader
 * and writer are always of one build: the form has no version.
 */
public final class CardIndex {
    public static final String RESOURCE = "gpuflow/rules.index";

    private static final int ABSENT = Integer.MIN_VALUE;

    private CardIndex() {}

    public static void write(List<RuleCard> cards, DataOutputStream out) throws IOException {
        out.writeInt(cards.size());
        for (RuleCard card : cards) {
            writeCard(card, out);
        }
    }

    /**
     * @param in the whole file, backed by an array
     */
    public static List<RuleCard> read(ByteBuffer in) {
        int size = in.getInt();
        List<RuleCard> cards = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            cards.add(readCard(in));
        }
        return cards;
    }

    private static void writeCard(RuleCard c, DataOutputStream out) throws IOException {
        text(c.id(), out);
        text(c.area(), out);
        text(c.since(), out);
        text(c.level() == null ? null : c.level().name(), out);
        text(c.role().name(), out);
        text(c.cause(), out);
        out.writeDouble(c.confidence());
        texts(c.needs().stream().map(Need::toString).toList(), out);
        text(c.appliesTo().vendor(), out);
        out.writeInt(c.appliesTo().minGpus());
        text(c.says(), out);
        text(c.why(), out);
        out.writeInt(c.fixes().size());
        for (Verdict.Fix fix : c.fixes()) {
            text(fix.kind(), out);
            text(fix.who(), out);
            text(fix.text(), out);
            map(fix.env(), out);
            text(fix.cost(), out);
        }
        texts(c.advises(), out);
        out.writeInt(c.settings().size());
        for (SettingSpec s : c.settings()) {
            text(s.name(), out);
            text(s.type(), out);
            text(s.unit(), out);
            out.writeDouble(s.number());
            text(s.text(), out);
            texts(s.list(), out);
            out.writeDouble(s.min());
            out.writeDouble(s.max());
            text(s.help(), out);
        }
        texts(c.merge(), out);
        texts(c.follows(), out);
        map(c.claims(), out);
        text(c.costs().name(), out);
        texts(c.aliases(), out);
        texts(c.vetoes().stream().map(Veto::toString).toList(), out);
        out.writeInt(c.reads().size());
        for (Read read : c.reads()) {
            text(read.type(), out);
            map(read.equal(), out);
        }
    }

    private static RuleCard readCard(ByteBuffer in) {
        String id = text(in);
        String area = text(in);
        String since = text(in);
        String level = text(in);
        Verdict.Role role = Verdict.Role.valueOf(text(in));
        String cause = text(in);
        double confidence = in.getDouble();
        List<Need> needs = texts(in).stream().map(Need::parse).toList();
        AppliesTo appliesTo = new AppliesTo(text(in), in.getInt());
        String says = text(in);
        String why = text(in);
        List<Verdict.Fix> fixes = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            fixes.add(new Verdict.Fix(text(in), text(in), text(in), map(in), text(in)));
        }
        List<String> advises = texts(in);
        List<SettingSpec> settings = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            settings.add(
                    new SettingSpec(
                            text(in),
                            text(in),
                            text(in),
                            in.getDouble(),
                            text(in),
                            texts(in),
                            in.getDouble(),
                            in.getDouble(),
                            text(in)));
        }
        return new RuleCard(
                id,
                area,
                since,
                level == null ? null : Verdict.Level.valueOf(level),
                role,
                cause,
                confidence,
                needs,
                appliesTo,
                says,
                why,
                fixes,
                advises,
                settings,
                texts(in),
                texts(in),
                map(in),
                RuleCard.Costs.valueOf(text(in)),
                texts(in),
                texts(in).stream().map(Veto::parse).toList(),
                reads(in));
    }

    private static List<Read> reads(ByteBuffer in) {
        List<Read> reads = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            reads.add(new Read(text(in), map(in)));
        }
        return List.copyOf(reads);
    }

    /** Latin-1 where it will do: such bytes become a text without being looked at. */
    private static void text(String value, DataOutputStream out) throws IOException {
        if (value == null) {
            out.writeInt(ABSENT);
            return;
        }
        boolean latin = value.chars().allMatch(c -> c < 256);
        byte[] bytes = value.getBytes(latin ? ISO_8859_1 : UTF_8);
        out.writeInt(latin ? bytes.length : -bytes.length);
        out.write(bytes);
    }

    private static String text(ByteBuffer in) {
        int length = in.getInt();
        if (length == ABSENT) {
            return null;
        }
        int bytes = Math.abs(length);
        String text =
                new String(in.array(), in.position(), bytes, length >= 0 ? ISO_8859_1 : UTF_8);
        in.position(in.position() + bytes);
        return text;
    }

    private static void texts(List<String> values, DataOutputStream out) throws IOException {
        out.writeInt(values.size());
        for (String value : values) {
            text(value, out);
        }
    }

    private static List<String> texts(ByteBuffer in) {
        List<String> values = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            values.add(text(in));
        }
        return List.copyOf(values);
    }

    private static void map(Map<String, String> values, DataOutputStream out) throws IOException {
        out.writeInt(values.size());
        for (Map.Entry<String, String> e : values.entrySet()) {
            text(e.getKey(), out);
            text(e.getValue(), out);
        }
    }

    private static Map<String, String> map(ByteBuffer in) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            values.put(text(in), text(in));
        }
        return java.util.Collections.unmodifiableMap(values);
    }
}
