package io.gpuflow.cli;

import io.gpuflow.flow.Inputs;
import io.gpuflow.flow.SecretValues;
import io.gpuflow.flow.Workflow;
import io.gpuflow.flow.lint.WorkflowReader;
import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a command line asks to be run: a workflow with its inputs, new or as an earlier run left it.
 *
 * @param inputs value of each input
 * @param secrets values never shown or written
 * @param earlier the run to go on with, or null
 * @param recording that answers, or null for this machine
 * @param site what holds here
 */
record RunPlan(
        Workflow workflow,
        Map<String, Object> inputs,
        List<String> secrets,
        Resumed earlier,
        Path recording,
        SiteInForce site) {

    /**
     * Reads the workflow and the inputs.
     *
     * @param file as it was named, or null with --resume
     * @param resume name of the run to go on with, or null
     * @param typed the inputs, {@code NAME=VALUE}
     * @param machine named with --machine, or null
     * @return null when the file or the site's policy is not valid, which was told then
     */
    static RunPlan of(
            Path file, String resume, List<String> typed, Path machine, SiteOptions options)
            throws Refused, IOException {
        Path named = file;
        String run = resume;
        if (file == null && isWorkflow(resume)) {
            named = Path.of(resume);
            run = RunNames.LAST;
        }
        Resumed earlier = run == null ? null : Resumed.find(run);
        if (named == null && earlier == null) {
            throw new Refused(ExitCode.USAGE, "name a workflow, for instance workflows/setup.yaml");
        }
        Path recording = earlier == null ? machine : earlier.recording(machine);
        SiteInForce site = options.open(recording == null ? List.of() : List.of(recording));
        if (site == null) {
            return null;
        }
        Path path = named != null ? named : earlier.workflow();
        Problems problems = new Problems();
        Workflow read = new WorkflowReader(site.catalog()).read(site.workflow(path), problems);
        if (read == null) {
            ProblemPrinter.print(problems, System.err);
            return null;
        }
        Workflow workflow = read.named(path.toString());
        Map<String, String> texts =
                earlier == null ? new LinkedHashMap<>() : earlier.inputs(workflow);
        texts.putAll(split(typed));
        Inputs.Given given = Inputs.of(workflow, texts);
        if (!given.problems().isEmpty()) {
            throw new Refused(ExitCode.USAGE, given.problems());
        }
        List<String> secrets = SecretValues.of(workflow, given.values(), System.getenv());
        return new RunPlan(workflow, given.values(), secrets, earlier, recording, site);
    }

    /** In {@code run --resume setup.yaml} the file is the workflow, not the name of a run. */
    private static boolean isWorkflow(String resume) {
        String name = resume == null ? "" : resume.toLowerCase(Locale.ROOT);
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    /** The inputs, split here: picocli would take the quotes in a value for its own. */
    private static Map<String, String> split(List<String> typed) throws Refused {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String input : typed) {
            int equals = input.indexOf('=');
            if (equals < 1) {
                throw new Refused(ExitCode.USAGE, "-i takes NAME=VALUE; one has no name or no =");
            }
            texts.put(input.substring(0, equals), input.substring(equals + 1));
        }
        return texts;
    }

    /** Folder of the run to go on with, or null for a new one. */
    Path folder() {
        return earlier == null ? null : earlier.folder();
    }
}
