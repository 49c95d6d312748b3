package io.gpuflow.cli;

import io.gpuflow.bundle.BundleFile;
import io.gpuflow.bundle.BundleWriter;
import io.gpuflow.bundle.Manifest;
import io.gpuflow.flow.RunFolder;
import io.gpuflow.report.BundleText;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.scan.NotableLines;
import io.gpuflow.scan.Signatures;
import io.gpuflow.tool.Redaction;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Packs the record of a run, or logs, into one archive that may leave the machine. */
@Command(
        name = "bundle",
        mixinStandardHelpOptions = true,
        description = {
            "Packs the record of a run into one archive that may leave the machine: hosts,"
                    + " addresses, users, paths, serial numbers and tokens are replaced by stable"
                    + " names.",
            "gpuflow diagnose and report read it, here or elsewhere, and say what they say of the"
                    + " run. Logs and dumps of any job can be packed the same way."
        },
        footer = {
            "",
            "Exit code: 0 it was written; 2 there is no such run, or the file is there already."
        })
final class BundleCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "RUN|LOGS",
            arity = "0..*",
            description =
                    "folder of a run, its name or a part of it, the last one by default; or logs,"
                            + " dumps and folders of them")
    private List<String> given = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "the archive to write; gpuflow-NAME.tar.gz by default")
    private Path file;

    @Option(names = "--force", description = "replace a file that is there")
    private boolean force;

    @Option(
            names = "--no-redact",
            description = "leave all as it is, secrets of the workflow excepted")
    private boolean plain;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        try {
            BundleWriter.Made made = make();
            if (json) {
                JsonPrinter.print(values(made), System.out);
            } else {
                text(made).lines().forEach(System.out::println);
            }
            return ExitCode.OK;
        } catch (Refused e) {
            return e.told("bundle");
        }
    }

    private BundleWriter.Made make() throws Refused, IOException {
        BundleWriter.Target target = target();
        List<Path> logs = logs();
        Path run = logs.isEmpty() ? run() : null;
        try {
            return run != null
                    ? BundleWriter.run(run, target, manner())
                    : BundleWriter.logs(logs, target, manner());
        } catch (FileAlreadyExistsException e) {
            throw new Refused(
                    ExitCode.USAGE,
                    e.getMessage() + " is there already; name another by -o FILE, or --force");
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw new Refused(ExitCode.USAGE, "can't write there: " + reason(e));
        }
    }

    private static String reason(FileSystemException e) {
        return e.getFile()
                + (e instanceof AccessDeniedException
                        ? ": permission denied; name another file by -o FILE"
                        : " does not exist");
    }

    private BundleWriter.Target target() throws Refused {
        if (file != null && Files.isDirectory(file)) {
            throw new Refused(ExitCode.USAGE, file + " is a folder; name a file in it");
        }
        Path folder = file == null ? null : file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new Refused(ExitCode.USAGE, "there is no folder " + folder);
        }
        return new BundleWriter.Target(file, force);
    }

    private Path run() throws Refused, IOException {
        Path run = RunNames.find(given.isEmpty() ? RunNames.LAST : given.get(0));
        RunNames.ledger(run);
        return run;
    }

    /** What is named, when that is no run. */
    private List<Path> logs() throws Refused, IOException {
        List<Path> paths = given.stream().map(Path::of).toList();
        boolean oneRun = paths.size() == 1 && (isRun(paths.get(0)) || !Files.exists(paths.get(0)));
        if (paths.isEmpty() || oneRun) {
            return List.of();
        }
        for (Path path : paths) {
            if (path.toString().isEmpty() || !Files.exists(path)) {
                throw new Refused(ExitCode.USAGE, "'" + path + "' does not exist");
            }
            if (isRun(path) || holdsRuns(path)) {
                throw new Refused(
                        ExitCode.USAGE,
                        path + " is the record of a run, or of several; name one run alone");
            }
            if (BundleFile.is(path)) {
                throw new Refused(ExitCode.USAGE, path + " is a bundle already");
            }
        }
        return paths;
    }

    private static boolean isRun(Path path) {
        return Files.isRegularFile(path.resolve(RunFolder.JOURNAL));
    }

    private static boolean holdsRuns(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return false;
        }
        try (Stream<Path> children = Files.list(path)) {
            return children.anyMatch(BundleCommand::isRun);
        } catch (AccessDeniedException e) {
            return false;
        }
    }

    private BundleWriter.Manner manner() {
        Map<String, String> env = System.getenv();
        return new BundleWriter.Manner(
                !plain,
                Redaction.secretValues(env),
                Stream.of(env.get("HOSTNAME"), hostName()).filter(h -> h != null).toList(),
                Stream.of(env.get("USER"), System.getProperty("user.name"))
                        .filter(u -> u != null)
                        .toList(),
                () -> new NotableLines(Signatures.builtIn()),
                Version.text(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
    }

    private static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            // Not Linux: what the texts give away is found all the same.
            return null;
        }
    }

    private static BundleText text(BundleWriter.Made made) {
        Map<String, String> changed = new LinkedHashMap<>();
        for (Manifest.Part part : made.manifest().files()) {
            if (part.changed() != null) {
                changed.put(part.name(), part.changed());
            }
        }
        Map<String, String> left = new LinkedHashMap<>();
        made.manifest().leftOut().forEach(l -> left.put(l.name(), l.why()));
        return new BundleText(
                made.file().toString(),
                made.bytes(),
                made.manifest().files().size(),
                made.manifest().redacted(),
                changed,
                left);
    }

    private static Map<String, Object> values(BundleWriter.Made made) {
        Manifest manifest = made.manifest();
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gpuflow", 1);
        values.put("file", made.file().toString());
        values.put("bytes", made.bytes());
        values.put("kind", manifest.kind());
        values.put("redacted", manifest.redacted());
        values.put("files", manifest.files().stream().map(BundleCommand::part).toList());
        values.put(
                "left_out",
                manifest.leftOut().stream()
                        .map(
                                l ->
                                        Map.of(
                                                "name",
                                                l.name(),
                                                "why",
                                                l.why(),
                                                "evidence",
                                                l.evidence()))
                        .toList());
        return values;
    }

    private static Map<String, Object> part(Manifest.Part part) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", part.name());
        values.put("bytes", part.bytes());
        values.put("sha256", part.sha256());
        if (part.changed() != null) {
            values.put("changed", part.changed());
        }
        return values;
    }
}
