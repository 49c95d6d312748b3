package io.gpuflow.cli;

import io.gpuflow.facts.Observed;
import io.gpuflow.flow.RunFacts;
import io.gpuflow.flow.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Facts of stored runs and of recordings, as a command names them. */
final class RunSources {
    /** Levels of folders below a named one in which runs and recordings are looked for. */
    private static final int DEPTH = 3;

    private RunSources() {}

    /**
     * Facts by name: of a run's folder, of a recording (setup.yaml is run over it), or of all of
     * these below a folder; of a run in ./gpuflow-runs that is named by a part of its name.
     *
     * @param names none for all runs in ./gpuflow-runs
     */
    static Map<String, List<Observed>> facts(List<String> names) throws Refused, IOException {
        List<Path> folders = new ArrayList<>();
        for (String name : names) {
            Path path = GpuflowHome.find(Path.of(name));
            if (isRun(path) || isRecording(path)) {
                folders.add(path);
            } else if (Files.isDirectory(path)) {
                folders.addAll(below(path));
            } else {
                folders.add(RunNames.find(name));
            }
        }
        if (names.isEmpty()) {
            folders.addAll(RunNames.all(Path.of(RunFolder.RUNS)));
        }
        if (folders.isEmpty()) {
            throw new Refused(
                    ExitCode.USAGE,
                    "there are no runs or recordings in "
                            + (names.isEmpty() ? "./" + RunFolder.RUNS : String.join(", ", names))
                            + "; gpuflow run makes one");
        }
        Map<String, List<Observed>> facts = new LinkedHashMap<>();
        for (Path folder : folders) {
            facts.put(
                    folder.toString(),
                    isRun(folder) ? RunFacts.of(folder) : Replay.of(folder).facts());
        }
        return facts;
    }

    private static List<Path> below(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder, DEPTH)) {
            return walk.filter(p -> isRun(p) || isRecording(p)).sorted().toList();
        }
    }

    private static boolean isRun(Path path) {
        return Files.isRegularFile(path.resolve(RunFolder.JOURNAL));
    }

    private static boolean isRecording(Path path) {
        return Files.isRegularFile(path.resolve("recording.json"));
    }
}
