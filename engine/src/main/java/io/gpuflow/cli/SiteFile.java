package io.gpuflow.cli;

import io.gpuflow.report.LineDiff;
import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.site.SiteEdit;
import io.gpuflow.rules.site.SiteReader;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;

/** The site.yaml that a command changes. */
final class SiteFile {
    private final Path path;
    private final String before;
    private final SiteEdit edit;

    private SiteFile(Path path, String before) {
        this.path = path;
        this.before = before;
        this.edit = new SiteEdit(path.toString(), before.isEmpty() ? SiteEdit.EMPTY : before);
    }

    /**
     * The one in force, or where none is a new ./site.yaml.
     *
     * @throws Refused when it can't be read or has mistakes already: they are told
     */
    static SiteFile open(SiteOptions site) throws Refused, IOException {
        Path file = site.file();
        Path path = file == null ? Path.of("site.yaml") : file;
        if (Files.exists(path)) {
            Problems problems = new Problems();
            SiteReader.read(path, problems);
            if (!problems.isEmpty()) {
                ProblemPrinter.print(problems, System.err);
                throw new Refused(ExitCode.USAGE, path + " has mistakes; mend them first");
            }
        }
        return new SiteFile(path, Files.exists(path) ? Files.readString(path) : "");
    }

    SiteEdit edit() {
        return edit;
    }

    Path path() {
        return path;
    }

    /** What has changed, for people; empty for nothing. */
    List<String> diff() {
        return LineDiff.lines(before, edit.text());
    }

    /** Checks the new text against the rules, then writes it whole or not at all. */
    void write() throws Refused, IOException {
        Path folder = path.toAbsolutePath().getParent();
        Path fresh;
        try {
            fresh = Files.createTempFile(folder, ".site", ".yaml");
        } catch (IOException e) {
            throw new Refused(
                    ExitCode.USAGE, folder + " can't be written to; name a file by --site");
        }
        try {
            Files.writeString(fresh, edit.text());
            Problems problems = new Problems();
            SiteRules.load(
                    fresh,
                    ShippedRules.cards(),
                    SiteRules.Setup.of(System.getenv(), List.of()),
                    problems);
            if (!problems.isEmpty()) {
                String first = problems.all().get(0).says() + "; " + problems.all().get(0).next();
                throw new Refused(ExitCode.USAGE, "nothing was changed: " + first);
            }
            if (Files.exists(path)) {
                Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(path));
            } else {
                Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
            }
            try {
                Path target = Files.exists(path) ? path.toRealPath() : path;
                Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException e) {
                Files.move(fresh, path, StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** A day as until: takes it, or null. */
    static LocalDate day(String until) throws Refused {
        try {
            return until == null ? null : LocalDate.parse(until);
        } catch (DateTimeParseException e) {
            throw new Refused(
                    ExitCode.USAGE, "--until takes a day such as 2027-01-31, not " + until);
        }
    }
}
