package io.gpuflow.cli;

import io.gpuflow.flow.Entry;
import io.gpuflow.flow.Inputs;
import io.gpuflow.flow.RunFolder;
import io.gpuflow.flow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The run that is gone on with: what it was of, what it was given and which machine answered.
 *
 * @param started null when its journal does not tell
 */
record Resumed(Path folder, Entry.RunStarted started) {

    static Resumed find(String name) throws Refused, IOException {
        Path folder = RunNames.find(name);
        return new Resumed(folder, RunNames.ledger(folder).started());
    }

    /** The workflow, as it was named then. */
    Path workflow() throws Refused {
        if (started == null) {
            throw new Refused(
                    ExitCode.USAGE,
                    folder.resolve(RunFolder.JOURNAL)
                            + " does not tell the workflow; name it: gpuflow run WORKFLOW"
                            + " --resume "
                            + folder);
        }
        return Path.of(started.workflow());
    }

    /** The inputs that it was given. */
    Map<String, String> inputs(Workflow workflow) {
        return started == null ? new LinkedHashMap<>() : Inputs.typed(workflow, started.inputs());
    }

    /**
     * The recording that goes on to answer, or null for this machine. A replay never goes on with
     * the tools of this machine, nor a run of this machine with a recording: its facts would be of
     * two machines.
     *
     * @param named with --machine, or null
     */
    Path recording(Path named) throws Refused {
        if (started == null) {
            return named;
        }
        if (!started.replay()) {
            if (named != null) {
                throw new Refused(
                        ExitCode.USAGE,
                        folder
                                + " is a run of a real machine and can't go on with a recording;"
                                + " leave --machine or --resume away");
            }
            return null;
        }
        if (named != null) {
            return named;
        }
        if (started.recording() == null || !Files.isDirectory(Path.of(started.recording()))) {
            String was = started.recording() == null ? "" : ", " + started.recording() + ",";
            throw new Refused(
                    ExitCode.USAGE,
                    folder
                            + " is a replay, and its recording"
                            + was
                            + " is not there; say where it is: --machine DIR");
        }
        return Path.of(started.recording());
    }
}
