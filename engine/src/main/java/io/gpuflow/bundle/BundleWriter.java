package io.gpuflow.bundle;

import io.gpuflow.scan.NotableLines;
import io.gpuflow.tool.Redactor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * Makes a bundle: {@code NAME/bundle.json}, its list, then {@code NAME/…} as the files are named in
 * the run or below the given folders, in a tar archive packed by gzip, which every system opens and
 * {@code diagnose} reads. All texts are read twice: the names that are private are learned from all
 * of them before the first is written.
 */
public final class BundleWriter {
    /** Enough for the record of a large job; what comes later is left out. Bytes before packing. */
    static final long MOST = 512L << 20;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final int LONGEST_NAME = 80;
    private static final Pattern PACKED = Pattern.compile("\\.(?:gz|xz|zst)$");

    /**
     * How it is to be made.
     *
     * @param redact replace what is private
     * @param secrets values that must not be in it in any case
     * @param hosts names of this machine
     * @param users names of who runs this
     * @param notable tells which lines of a text that is too large are kept; asked for when needed
     * @param version of gpuflow
     * @param made when
     */
    public record Manner(
            boolean redact,
            Collection<String> secrets,
            Collection<String> hosts,
            Collection<String> users,
            Supplier<NotableLines> notable,
            String version,
            Instant made) {}

    /**
     * Where it goes.
     *
     * @param file null for {@code gpuflow-NAME.tar.gz} in the current folder
     * @param overwrite replace a file that is there
     */
    public record Target(Path file, boolean overwrite) {}

    /** What was made. */
    public record Made(Path file, long bytes, Manifest manifest) {}

    private final Manner manner;
    private final Found found;
    private final String kind;
    private final String root;
    private final Clean clean;
    private final CleanFiles files;
    private final List<Manifest.Left> left;
    private final List<Manifest.Part> parts = new ArrayList<>();
    private final List<Scratch.Piece> pieces = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private long total;

    private BundleWriter(
            Manner manner, Found found, String kind, String root, Relocation relocation) {
        this.manner = manner;
        this.found = found;
        this.kind = kind;
        this.root = root.length() > LONGEST_NAME ? root.substring(0, LONGEST_NAME) : root;
        Redactor redactor = manner.redact() ? new Redactor() : null;
        if (redactor != null) {
            redactor.hosts(manner.hosts());
            redactor.users(manner.users());
        }
        this.clean = new Clean(relocation, manner.secrets(), redactor);
        this.files =
                new CleanFiles(
                        clean, kind.equals(Manifest.RUN), manner.secrets(), manner.notable());
        this.left = new ArrayList<>(found.left());
    }

    /**
     * The record of a run.
     *
     * @throws FileAlreadyExistsException when the target is there and is not to be replaced
     */
    public static Made run(Path folder, Target target, Manner manner) throws IOException {
        Path whole = folder.toAbsolutePath().normalize();
        String root = String.valueOf(whole.getFileName());
        Set<String> spellings = new HashSet<>();
        spellings.add(whole.toString());
        spellings.add(folder.toRealPath().toString());
        Relocation relocation = new Relocation(List.copyOf(spellings), root);
        Found found = Found.run(folder.toRealPath(), BundleFile.JOURNAL, "lock");
        return new BundleWriter(manner, found, Manifest.RUN, root, relocation).to(target);
    }

    /**
     * Logs, dumps and whatever else lies below the paths.
     *
     * @throws FileAlreadyExistsException when the target is there and is not to be replaced
     */
    public static Made logs(List<Path> paths, Target target, Manner manner) throws IOException {
        String root = TIME.format(manner.made()) + "-logs";
        Found found = Found.logs(paths);
        return new BundleWriter(manner, found, Manifest.LOGS, root, Relocation.NONE).to(target);
    }

    private Made to(Target target) throws IOException {
        clean.learn(root);
        for (Found.Item item : found.items()) {
            try {
                files.learn(item);
            } catch (IOException | OutOfMemoryError e) {
                // What can't be read is told when it is to be written.
                continue;
            }
        }
        String name = clean.text(root);
        Path file = target.file() != null ? target.file() : Path.of("gpuflow-" + name + ".tar.gz");
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !target.overwrite()) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Path folder = file.toAbsolutePath().getParent();
        try (Scratch scratch = new Scratch(folder)) {
            for (Found.Item item : order()) {
                add(name, item, scratch);
            }
            Manifest manifest =
                    new Manifest(
                            manner.version(),
                            kind,
                            manner.made().toString(),
                            manner.redact(),
                            parts,
                            leftOut(name));
            write(file, folder, name, manifest, scratch);
            return new Made(file, Files.size(file), manifest);
        }
    }

    /** The journal last: it holds the hashes of the files of facts as they are now. */
    private List<Found.Item> order() {
        List<Found.Item> order = new ArrayList<>(found.items());
        if (!order.isEmpty() && order.get(0).name().equals(BundleFile.JOURNAL)) {
            int facts = 1;
            while (facts < order.size() && BundleFile.isFacts(order.get(facts).name())) {
                facts++;
            }
            order.add(facts - 1, order.remove(0));
        }
        return order;
    }

    private void add(String root, Found.Item item, Scratch scratch) throws IOException {
        if (total >= MOST) {
            String why = "the bundle has " + (MOST >> 20) + " MiB without it";
            left.add(left(item, why, true));
            return;
        }
        Scratch.Writing writing = scratch.new Writing();
        try {
            String changed = files.write(item, writing);
            Scratch.Piece piece = writing.piece();
            String name = free(root + "/" + clean.text(unpacked(item.name())));
            parts.add(new Manifest.Part(name, piece.bytes(), piece.sha256(), changed));
            pieces.add(piece);
            files.hash(item.name(), piece.sha256());
            total += piece.bytes();
        } catch (IOException e) {
            if (writing.failed()) {
                throw e;
            }
            writing.undo();
            left.add(left(item, why(e), !(e instanceof LeftOut l) || l.evidence()));
        } catch (OutOfMemoryError e) {
            writing.undo();
            left.add(left(item, "needs more memory than there is", true));
        }
    }

    /** A run is judged by its records alone. */
    private Manifest.Left left(Found.Item item, String why, boolean evidence) {
        boolean counts =
                evidence && (kind.equals(Manifest.LOGS) || BundleFile.isRecord(item.name()));
        return new Manifest.Left(item.name(), why, counts);
    }

    private static String unpacked(String name) {
        return PACKED.matcher(name).replaceFirst("");
    }

    private static String why(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        return e.getMessage() == null ? "can't be read" : e.getMessage();
    }

    /** Two names may become one when what tells them apart is private. */
    private String free(String name) {
        String free = name;
        for (int i = 2; !names.add(free); i++) {
            int dot = name.lastIndexOf('.');
            int at = dot > name.lastIndexOf('/') ? dot : name.length();
            free = name.substring(0, at) + "-" + i + name.substring(at);
        }
        return free;
    }

    private List<Manifest.Left> leftOut(String root) {
        return left.stream()
                .map(
                        l ->
                                new Manifest.Left(
                                        root + "/" + clean.text(l.name()),
                                        clean.text(l.why()),
                                        l.evidence()))
                .toList();
    }

    private void write(Path file, Path folder, String root, Manifest manifest, Scratch scratch)
            throws IOException {
        Path temporary = Files.createTempFile(folder, ".gpuflow-bundle", ".tmp");
        temporary.toFile().deleteOnExit();
        try {
            OutputStream out = new GZIPOutputStream(Files.newOutputStream(temporary), 1 << 16);
            try (TarWriter tar = new TarWriter(out, manner.made())) {
                byte[] json = manifest.json();
                tar.file(root + "/" + Manifest.NAME, json.length, new ByteArrayInputStream(json));
                for (int i = 0; i < parts.size(); i++) {
                    InputStream content = scratch.read(pieces.get(i));
                    tar.file(parts.get(i).name(), pieces.get(i).bytes(), content);
                }
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
