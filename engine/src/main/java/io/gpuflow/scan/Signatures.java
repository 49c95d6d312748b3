package io.gpuflow.scan;

import io.gpuflow.scan.Signature.Wording;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * All signatures with their automaton. Made from the YAML files when gpuflow is built, and read
 * back from one compact resource, so that a command starts at once.
 */
public final class Signatures {
    /** The resource that the build writes. */
    public static final String RESOURCE = "gpuflow-signatures.bin";

    private static final int FORMAT = 3;
    private static final int MOST = 4 << 20;

    private final List<Signature> all;
    private final List<String> texts;
    private final int[][] wordingsOfText;
    private final int[] signatureOfWording;
    private final Wording[] wordings;
    private final Pattern[] patterns;
    private final Automaton automaton;

    private Signatures(List<Signature> all, List<String> texts, Automaton automaton) {
        this.all = all;
        this.texts = texts;
        this.automaton = automaton;
        Map<String, Integer> number = new HashMap<>();
        for (int i = 0; i < texts.size(); i++) {
            number.put(texts.get(i), i);
        }
        int count = all.stream().mapToInt(s -> s.wordings().size()).sum();
        wordings = new Wording[count];
        signatureOfWording = new int[count];
        patterns = new Pattern[count];
        List<List<Integer>> ofText = new ArrayList<>();
        texts.forEach(t -> ofText.add(new ArrayList<>()));
        int w = 0;
        for (int s = 0; s < all.size(); s++) {
            for (Wording wording : all.get(s).wordings()) {
                wordings[w] = wording;
                signatureOfWording[w] = s;
                ofText.get(number.get(wording.text())).add(w);
                w++;
            }
        }
        wordingsOfText = new int[texts.size()][];
        for (int i = 0; i < texts.size(); i++) {
            wordingsOfText[i] = ofText.get(i).stream().mapToInt(x -> x).toArray();
        }
    }

    /** Checks the signatures and builds their automaton. */
    public static Signatures of(List<Signature> all) {
        Set<String> different = new LinkedHashSet<>();
        for (Signature s : all) {
            s.wordings().forEach(w -> different.add(w.text()));
        }
        List<String> texts = List.copyOf(different);
        List<byte[]> bytes = new ArrayList<>();
        texts.forEach(t -> bytes.add(utf8(t)));
        return new Signatures(List.copyOf(all), texts, Automaton.of(bytes));
    }

    /** True when every match of the pattern contains the text. */
    public static boolean implies(String pattern, String text) {
        return RequiredText.implies(pattern, text);
    }

    /** The signatures that were built in. */
    public static Signatures builtIn() {
        try (InputStream in = Signatures.class.getClassLoader().getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing: build gpuflow again");
            }
            return read(ByteBuffer.wrap(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** These signatures and further ones. */
    public Signatures with(List<Signature> further) {
        List<Signature> both = new ArrayList<>(all);
        both.addAll(further);
        return of(both);
    }

    public List<Signature> all() {
        return all;
    }

    Automaton automaton() {
        return automaton;
    }

    /** Numbers of the wordings that require this text. */
    int[] wordings(int text) {
        return wordingsOfText[text];
    }

    Wording wording(int wording) {
        return wordings[wording];
    }

    Signature signature(int wording) {
        return all.get(signatureOfWording[wording]);
    }

    /** The wording's compiled pattern, or null. Compiled on first use: most never are. */
    Pattern pattern(int wording) {
        if (patterns[wording] == null && wordings[wording].match() != null) {
            patterns[wording] = Pattern.compile(wordings[wording].match());
        }
        return patterns[wording];
    }

    /** The compact form. */
    public byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(MOST);
        out.putInt(FORMAT).putInt(all.size());
        for (Signature s : all) {
            put(out, s.id());
            out.put((byte) s.kind().ordinal())
                    .put((byte) ((s.generic() ? 1 : 0) + (s.startup() ? 2 : 0)));
            put(out, s.means());
            out.putInt(s.wordings().size());
            for (Wording w : s.wordings()) {
                put(out, w.text());
                put(out, w.match() == null ? "" : w.match());
                out.putInt(w.unless().size());
                w.unless().forEach(u -> put(out, u));
                put(out, w.since());
                put(out, w.until());
                put(out, w.source());
                out.put((byte) (w.every() ? 1 : 0));
            }
        }
        byte[] result = new byte[out.position()];
        out.flip().get(result);
        return result;
    }

    static Signatures read(ByteBuffer in) {
        if (in.getInt() != FORMAT) {
            throw new IllegalStateException(RESOURCE + " has another format: build gpuflow again");
        }
        List<Signature> all = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            String id = text(in);
            Signature.Kind kind = Signature.Kind.values()[in.get()];
            int flags = in.get();
            String means = text(in);
            List<Wording> wordings = new ArrayList<>();
            for (int k = in.getInt(); k > 0; k--) {
                wordings.add(wording(in));
            }
            all.add(new Signature(id, kind, (flags & 1) != 0, (flags & 2) != 0, means, wordings));
        }
        return of(all);
    }

    private static Wording wording(ByteBuffer in) {
        String text = text(in);
        String match = text(in);
        List<String> unless = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            unless.add(text(in));
        }
        String pattern = match.isEmpty() ? null : match;
        return new Wording(text, pattern, unless, text(in), text(in), text(in), in.get() == 1);
    }

    private static void put(ByteBuffer out, String text) {
        byte[] b = utf8(text);
        out.putInt(b.length).put(b);
    }

    private static String text(ByteBuffer in) {
        byte[] b = new byte[in.getInt()];
        in.get(b);
        return new String(b, StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
