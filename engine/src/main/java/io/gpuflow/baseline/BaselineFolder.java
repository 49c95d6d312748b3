package io.gpuflow.baseline;

import io.gpuflow.facts.Fact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Where baselines lie, a file a machine. */
public final class BaselineFolder {
    /** More machines than share one home; what is beyond is not looked at. */
    private static final int MOST = 4096;

    private final Path folder;
    private final List<String> unread = new ArrayList<>();

    public BaselineFolder(Path folder) {
        this.folder = folder;
    }

    /** The usual one: baselines in {@link DataFolder}. */
    public static BaselineFolder usual(Map<String, String> env) {
        return new BaselineFolder(DataFolder.of(env).resolve("baselines"));
    }

    public Path path() {
        return folder;
    }

    /** Every baseline, in order of name; what can't be read is kept for {@link #unread}. */
    public List<BaselineFile> all() throws IOException {
        unread.clear();
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> paths;
        try (Stream<Path> list = Files.list(folder)) {
            paths = list.filter(p -> p.toString().endsWith(".json")).sorted().limit(MOST).toList();
        }
        List<BaselineFile> all = new ArrayList<>();
        for (Path path : paths) {
            try {
                all.add(BaselineFile.read(path));
            } catch (BaselineFile.Invalid e) {
                unread.add(e.getMessage());
            } catch (IOException e) {
                unread.add(path + " can't be read");
            }
        }
        return all;
    }

    /** Of the last {@link #all} or {@link #of}: files that are no baselines, each with why. */
    public List<String> unread() {
        return List.copyOf(unread);
    }

    /**
     * The baseline of the machine with these facts: the one with which it shares most GPUs, else
     * the one of the same host with the same models of GPU; null when there is none.
     */
    public BaselineFile of(Collection<? extends Fact> facts) throws IOException {
        Identity machine = Identity.of(facts);
        BaselineFile best = null;
        for (BaselineFile file : all()) {
            int likeness = machine.likeness(file.baseline());
            if (likeness > 0 && (best == null || likeness > machine.likeness(best.baseline()))) {
                best = file;
            }
        }
        return best;
    }

    /** Where the baseline of the machine with these facts belongs; null when nothing names it. */
    public Path place(Collection<? extends Fact> facts) throws IOException {
        BaselineFile earlier = of(facts);
        if (earlier != null) {
            return earlier.file();
        }
        String key = Identity.of(facts).key();
        return key == null ? null : folder.resolve(key + ".json");
    }
}
