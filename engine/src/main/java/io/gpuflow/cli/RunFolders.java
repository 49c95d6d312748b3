package io.gpuflow.cli;

import io.gpuflow.flow.RunFolder;
import io.gpuflow.flow.Secrets;
import io.gpuflow.flow.Workflow;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The folder a run works in: a new one, an earlier run's, or for a dry run one that is removed. */
final class RunFolders implements AutoCloseable {
    private final RunFolder folder;
    private final boolean temporary;

    private RunFolders(RunFolder folder, boolean temporary) {
        this.folder = folder;
        this.temporary = temporary;
    }

    /**
     * @param earlier the run to go on with, or null
     * @param named the folder the user wants, or null
     * @param secrets masked in the copy of the workflow
     */
    static RunFolders of(
            Path earlier, Path named, boolean dryRun, Workflow workflow, Secrets secrets)
            throws Refused {
        if (dryRun && earlier != null) {
            throw new Refused(ExitCode.USAGE, "--dry-run and --resume exclude each other");
        }
        try {
            RunFolder folder =
                    earlier != null ? RunFolder.open(earlier) : create(named, dryRun, workflow);
            String text = secrets.mask(workflow.text());
            Files.writeString(folder.path().resolve(RunFolder.WORKFLOW), text);
            return new RunFolders(folder, dryRun);
        } catch (FileAlreadyExistsException | RunFolder.InUse e) {
            throw new Refused(ExitCode.USAGE, e.getMessage());
        } catch (IOException e) {
            throw new Refused(ExitCode.USAGE, notMade(named, e));
        }
    }

    /** A folder that is gone afterwards. */
    static RunFolders temporary(Workflow workflow) throws Refused {
        return of(null, null, true, workflow, Secrets.NONE);
    }

    private static RunFolder create(Path named, boolean dryRun, Workflow workflow)
            throws IOException {
        if (dryRun) {
            return RunFolder.createAt(Files.createTempDirectory("gpuflow-dry-run"));
        }
        if (named != null) {
            return RunFolder.createAt(named);
        }
        String file = Path.of(workflow.file()).getFileName().toString();
        String name = file.replaceFirst("\\.ya?ml$", "");
        return RunFolder.create(Path.of(RunFolder.RUNS), name, Instant.now());
    }

    private static String notMade(Path named, IOException e) {
        Path folder = named == null ? Path.of(RunFolder.RUNS) : named;
        String why =
                e instanceof AccessDeniedException
                        ? "permission denied"
                        : e instanceof FileSystemException f
                                ? Objects.requireNonNullElse(
                                        f.getReason(), "it can't be made there")
                                : e.getMessage();
        return "the record of the run can't be kept in "
                + folder
                + ": "
                + why
                + "; name a folder where you may write: --run-dir DIR";
    }

    RunFolder folder() {
        return folder;
    }

    /** The folder as it is shown, or null when it will be gone. */
    String shown() {
        return temporary ? null : folder.path().toString();
    }

    @Override
    public void close() throws IOException {
        folder.close();
        if (temporary) {
            List<Path> all;
            try (Stream<Path> walk = Files.walk(folder.path())) {
                all = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : all) {
                Files.delete(path);
            }
        }
    }
}
