package io.gpuflow.cli;

import io.gpuflow.bundle.BundleFile;
import io.gpuflow.flow.Ledger;
import io.gpuflow.flow.RunFolder;
import io.gpuflow.flow.RunRecord;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds runs by what a person types: a folder, a name in gpuflow-runs, its beginning, or last. */
final class RunNames {
    static final String LAST = "last";

    private RunNames() {}

    /** Folders of all runs below a folder, oldest first. */
    static List<Path> all(Path runs) throws IOException {
        if (!Files.isDirectory(runs)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(runs)) {
            return folders.filter(f -> Files.isRegularFile(f.resolve(RunFolder.JOURNAL)))
                    .sorted()
                    .toList();
        }
    }

    /** What the journal of a run adds up to. */
    static Ledger ledger(Path run) throws Refused {
        Path journal = run.resolve(RunFolder.JOURNAL);
        try {
            return Ledger.read(journal);
        } catch (AccessDeniedException e) {
            throw new Refused(
                    ExitCode.USAGE, journal + ": permission denied; ask its owner to let you read");
        } catch (IOException e) {
            throw new Refused(ExitCode.USAGE, "can't read the run: " + e.getMessage());
        }
    }

    /** What the journal in a bundle adds up to. */
    static Ledger ledger(BundleFile bundle) throws Refused {
        try {
            return Ledger.read(RunRecord.of(bundle));
        } catch (IOException e) {
            String why =
                    bundle.isRun()
                            ? e.getMessage()
                            : "it is of logs; gpuflow diagnose " + bundle.path() + " reads it";
            throw new Refused(ExitCode.USAGE, bundle.path() + " holds no run: " + why);
        }
    }

    /** The folder of the run that is meant. */
    static Path find(String name) throws Refused, IOException {
        Path asPath = Path.of(name);
        if (Files.isRegularFile(asPath.resolve(RunFolder.JOURNAL))) {
            return asPath;
        }
        List<Path> all = all(Path.of(RunFolder.RUNS));
        if (all.isEmpty()) {
            throw new Refused(
                    ExitCode.USAGE,
                    "there is no run "
                            + (name.equals(LAST) ? "" : name + " ")
                            + "in ./"
                            + RunFolder.RUNS
                            + "; gpuflow run makes one");
        }
        if (name.equals(LAST)) {
            return all.get(all.size() - 1);
        }
        List<Path> matching =
                all.stream().filter(f -> f.getFileName().toString().contains(name)).toList();
        if (matching.size() == 1) {
            return matching.get(0);
        }
        String how = matching.isEmpty() ? "there is no run " : matching.size() + " runs match ";
        throw new Refused(ExitCode.USAGE, how + name + "; gpuflow runs lists them");
    }
}
