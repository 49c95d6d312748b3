package io.gpuflow.cli;

import io.gpuflow.baseline.BaselineFacts;
import io.gpuflow.baseline.BaselineFile;
import io.gpuflow.baseline.BaselineFolder;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.flow.Action;
import io.gpuflow.step.ProbeStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What is kept of a machine's earlier days, for the runs that look at it again. */
final class Remembered {
    private final BaselineFile named;
    private final BaselineFolder folder;
    private final List<Path> shared;

    private Remembered(BaselineFile named, BaselineFolder folder, List<Path> shared) {
        this.named = named;
        this.folder = folder;
        this.shared = shared;
    }

    /**
     * @param file the baseline that the user names, or null for the machine's own
     * @param none true when none is wanted
     * @throws Refused when the named one can't be read
     */
    static Remembered of(Path file, boolean none, Map<String, String> env) throws Refused {
        if (file != null && none) {
            throw new Refused(ExitCode.USAGE, "--baseline and --no-baseline exclude each other");
        }
        return new Remembered(
                file == null ? null : read(file),
                none ? null : BaselineFolder.usual(env),
                List.of());
    }

    /** Likewise, with the site's folders of baselines for machines that have none of their own. */
    Remembered with(List<Path> folders) {
        return new Remembered(named, folder, folders);
    }

    /** The baseline in a file that a user named. */
    static BaselineFile read(Path file) throws Refused {
        try {
            return BaselineFile.read(GpuflowHome.find(file));
        } catch (BaselineFile.Invalid e) {
            throw new Refused(ExitCode.USAGE, e.getMessage());
        } catch (IOException e) {
            String why = Files.exists(file) ? "can't be read" : "there is no such file";
            throw new Refused(ExitCode.USAGE, file + ": " + why);
        }
    }

    /** The built-in step of a name; the probe brings what is remembered, too. */
    Action action(String name) {
        return name.equals("probe") ? new ProbeStep(this::facts) : BuiltIns.named(name);
    }

    /** The baseline of the machine with these facts, as facts. */
    List<Observed> facts(List<Observed> now) {
        List<Fact> facts = now.stream().map(Observed::fact).toList();
        if (named != null) {
            return BaselineFacts.of(named, facts);
        }
        if (folder == null) {
            return BaselineFacts.none();
        }
        try {
            BaselineFile file = folder.of(facts);
            if (file != null) {
                return BaselineFacts.of(file, facts);
            }
            for (Path further : shared) {
                BaselineFile ofSite = new BaselineFolder(further).of(facts);
                if (ofSite != null) {
                    return BaselineFacts.of(ofSite, facts);
                }
            }
            return folder.unread().isEmpty()
                    ? BaselineFacts.none()
                    : BaselineFacts.unreadable(String.join("; ", folder.unread()));
        } catch (IOException e) {
            return BaselineFacts.unreadable(folder.path() + " can't be read");
        }
    }
}
