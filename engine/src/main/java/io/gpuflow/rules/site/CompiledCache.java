package io.gpuflow.rules.site;

import io.gpuflow.facts.Judgement.Broken;
import io.gpuflow.rules.CardIndex;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.build.OwnCompiler.Compiled;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Compiled rules of sites on disk, one file for each state of the rules' texts. What is in it runs
 * as code, so it is read only where {@link Trust} would load DRL from.
 */
final class CompiledCache {
    /** Changes with the form of the files. */
    private static final int FORM = 0x67705231;

    private static final int MOST_FILES = 16;
    private static final long MOST_BYTES = 64L << 20;
    private static final String ENDING = ".rules";

    private final Path folder;

    /**
     * @param folder null when nothing is to be kept
     */
    CompiledCache(Path folder) {
        this.folder = folder;
    }

    /** {@code $XDG_CACHE_HOME/gpuflow}, else {@code ~/.cache/gpuflow}; null without a home. */
    static Path folder(Map<String, String> environment) {
        String cache = environment.get("XDG_CACHE_HOME");
        if (cache != null && cache.startsWith("/")) {
            return Path.of(cache, "gpuflow", "rules");
        }
        String home = environment.get("HOME");
        return home != null && home.startsWith("/")
                ? Path.of(home, ".cache", "gpuflow", "rules")
                : null;
    }

    /** Cards, compiled conditions, and the rules that do not compile, as they were stored. */
    record Stored(List<RuleCard> cards, Compiled compiled, List<Broken> broken) {}

    /** What was stored under a key; null when there is nothing, or nothing that can be trusted. */
    Stored find(String key) {
        if (folder == null) {
            return null;
        }
        Path file = folder.resolve(key + ENDING);
        try {
            if (!Files.isRegularFile(file)
                    || Files.size(file) > MOST_BYTES
                    || new Trust(List.of()).problem(file) != null) {
                return null;
            }
            Stored stored = read(Files.readAllBytes(file));
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            return stored;
        } catch (IOException | RuntimeException e) {
            return null; // Damaged or not readable: it is compiled anew.
        }
    }

    /** Keeps compiled rules; that it can't be done is no failure. */
    void store(String key, Stored stored) {
        if (folder == null) {
            return;
        }
        try {
            var owner = PosixFilePermissions.fromString("rwx------");
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(owner));
            Path part = Files.createTempFile(folder, key.substring(0, 16), ".part");
            try {
                Files.write(part, bytes(stored));
                Files.move(
                        part,
                        folder.resolve(key + ENDING),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
            forget();
        } catch (IOException | UnsupportedOperationException e) {
            // A read-only home: the rules are compiled each time.
        }
    }

    /** Deletes what was not used for longest. */
    private void forget() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> list = Files.list(folder)) {
            list.filter(p -> p.toString().endsWith(ENDING)).forEach(files::add);
        }
        files.sort(Comparator.comparing(CompiledCache::used).reversed());
        for (Path old : files.subList(Math.min(MOST_FILES, files.size()), files.size())) {
            Files.deleteIfExists(old);
        }
    }

    private static FileTime used(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    private static byte[] bytes(Stored stored) throws IOException {
        Compiled compiled = stored.compiled();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(FORM);
            CardIndex.write(stored.cards(), out);
            out.writeInt(compiled.models().size());
            for (String model : compiled.models()) {
                text(model, out);
            }
            out.writeInt(compiled.classes().size());
            for (Map.Entry<String, byte[]> e : compiled.classes().entrySet()) {
                text(e.getKey(), out);
                block(e.getValue(), out);
            }
            out.writeInt(stored.broken().size());
            for (Broken broken : stored.broken()) {
                text(broken.rule(), out);
                text(broken.at(), out);
                text(broken.why(), out);
            }
        }
        return bytes.toByteArray();
    }

    private static Stored read(byte[] bytes) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (in.getInt() != FORM) {
            throw new IOException("another form");
        }
        List<RuleCard> cards = CardIndex.read(in);
        List<String> models = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            models.add(text(in));
        }
        Map<String, byte[]> classes = new TreeMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            classes.put(text(in), block(in));
        }
        List<Broken> broken = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            broken.add(new Broken(text(in), text(in), text(in)));
        }
        return new Stored(cards, new Compiled(classes, models), broken);
    }

    private static void text(String text, DataOutputStream out) throws IOException {
        block(text.getBytes(StandardCharsets.UTF_8), out);
    }

    private static void block(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(ByteBuffer in) throws IOException {
        return new String(block(in), StandardCharsets.UTF_8);
    }

    private static byte[] block(ByteBuffer in) throws IOException {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IOException("it is cut short");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
