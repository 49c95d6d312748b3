package io.gpuflow.bundle;

import io.gpuflow.scan.ArchiveFile;
import io.gpuflow.scan.Unread;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A bundle that somebody gave us: whatever is in it, nothing is written and nothing outside of it
 * is read. Each file is checked against the list that the bundle begins with.
 */
public final class BundleFile {
    public static final String JOURNAL = "journal.jsonl";

    /** More than one that we make holds. */
    private static final long MOST = 1L << 30;

    private static final int MOST_LIST = 16 << 20;
    private static final int MOST_RECORDS = 256 << 20;
    private static final int MOST_TOLD = 20;

    private final Path path;
    private final String root;
    private final Map<String, byte[]> records = new LinkedHashMap<>();
    private final Map<String, Manifest.Part> listed = new LinkedHashMap<>();
    private final Set<String> seen = new LinkedHashSet<>();
    private final List<Unread> problems = new ArrayList<>();
    private Manifest manifest;
    private long kept;
    private int untold;

    private BundleFile(Path path, String root) {
        this.path = path;
        this.root = root;
    }

    /** A file of a run from which its report and its facts are read. */
    static boolean isRecord(String name) {
        return name.equals(JOURNAL) || isFacts(name);
    }

    static boolean isFacts(String name) {
        return name.startsWith("steps/") && name.endsWith(".facts.jsonl");
    }

    /** True for a bundle, whatever its name. */
    public static boolean is(Path path) {
        return root(path) != null;
    }

    /** Reads a bundle; null when the file is none. */
    public static BundleFile open(Path path) {
        String root = root(path);
        if (root == null) {
            return null;
        }
        BundleFile bundle = new BundleFile(path, root);
        bundle.read();
        return bundle;
    }

    private static String root(Path path) {
        if (!Files.isRegularFile(path)) {
            return null;
        }
        String first = ArchiveFile.firstName(path);
        String end = "/" + Manifest.NAME;
        boolean bundle = first != null && first.endsWith(end) && first.length() > end.length();
        return bundle ? first.substring(0, first.length() - end.length()) : null;
    }

    private void read() {
        List<Unread> odd = new ArrayList<>();
        try {
            ArchiveFile.read(path, MOST, this::entry, odd);
        } catch (IOException e) {
            problem(path.toString(), String.valueOf(e.getMessage()));
        }
        odd.forEach(u -> problem(u.file(), u.why()));
        for (String name : listed.keySet()) {
            if (!seen.contains(name)) {
                problem(inner(name), "is in the bundle's list and not in the bundle");
            }
        }
        if (manifest != null) {
            manifest.leftOut()
                    .forEach(
                            l ->
                                    problem(
                                            inner(l.name()),
                                            "was left out of the bundle: " + l.why(),
                                            l.evidence()));
            manifest.files().stream()
                    .filter(part -> part.changed() != null)
                    .forEach(part -> problem(inner(part.name()), part.changed(), false));
        }
        if (untold > 0) {
            problems.add(new Unread(path.toString(), untold + " more problems of files", true));
        }
    }

    private void entry(String name, InputStream content) throws IOException {
        if (seen.isEmpty() && listed.isEmpty() && manifest == null && isList(name)) {
            list(content);
            return;
        }
        if (!seen.add(name)) {
            problem(inner(name), "is in it twice; the first is used");
            return;
        }
        String ofRun = name.startsWith(root + "/") ? name.substring(root.length() + 1) : "";
        boolean record = isRecord(ofRun);
        ByteArrayOutputStream copy = record ? new ByteArrayOutputStream() : null;
        MessageDigest digest = Scratch.sha256();
        byte[] buffer = new byte[1 << 16];
        long bytes = 0;
        for (int n = content.read(buffer); n >= 0; n = content.read(buffer)) {
            digest.update(buffer, 0, n);
            bytes += n;
            kept += record ? n : 0;
            if (kept > MOST_RECORDS) {
                throw new IOException(
                        "its records are larger than " + (MOST_RECORDS >> 20) + " MiB");
            }
            if (record) {
                copy.write(buffer, 0, n);
            }
        }
        check(name, bytes, HexFormat.of().formatHex(digest.digest()));
        if (record) {
            records.put(ofRun, copy.toByteArray());
        }
    }

    private boolean isList(String name) {
        return name.equals(root + "/" + Manifest.NAME);
    }

    private void list(InputStream content) throws IOException {
        byte[] json = content.readNBytes(MOST_LIST);
        try {
            manifest = Manifest.read(json);
            manifest.files().forEach(part -> listed.put(part.name(), part));
        } catch (IOException e) {
            problem(inner(root + "/" + Manifest.NAME), e.getMessage());
            manifest = new Manifest("", "", "", false, List.of(), List.of());
        }
    }

    private void check(String name, long bytes, String sha256) {
        Manifest.Part part = listed.get(name);
        if (part == null) {
            problem(inner(name), "is not in the bundle's list: it was added later");
        } else if (part.bytes() != bytes || !part.sha256().equals(sha256)) {
            problem(inner(name), "was changed after the bundle was made: its checksum is wrong");
        }
    }

    private void problem(String file, String why) {
        problem(file, why, true);
    }

    private void problem(String file, String why, boolean evidence) {
        if (problems.size() < MOST_TOLD) {
            problems.add(new Unread(file, why, evidence));
        } else {
            untold++;
        }
    }

    private String inner(String name) {
        return path + "!" + name;
    }

    public Path path() {
        return path;
    }

    /** How the folder that all its files are in is named. */
    public String folder() {
        return inner(root);
    }

    /** What the file said itself that it holds; empty when that can't be read. */
    public Manifest manifest() {
        return manifest;
    }

    /** True when it holds the record of a run. */
    public boolean isRun() {
        return records.containsKey(JOURNAL);
    }

    /** What is wrong with it, or not in it. */
    public List<Unread> problems() {
        return List.copyOf(problems);
    }

    /**
     * A file of the run.
     *
     * @throws FileNotFoundException when it is not in it
     */
    public byte[] record(String name) throws IOException {
        byte[] content = records.get(name);
        if (content == null) {
            throw new FileNotFoundException(name + " is not in the bundle");
        }
        return content;
    }

    /** How evidence names a file of the bundle; other texts stay as they are. */
    public String located(String text) {
        return text.startsWith(root + "/") ? inner(text) : text;
    }
}
