package io.gpuflow.advise.emit;

import io.gpuflow.advise.Candidate.EmittedFile;
import java.util.ArrayList;
import java.util.List;

/** All files for a job. */
public final class EmittedFiles {
    private static final List<Target> TARGETS =
            List.of(
                    new TrainingScripts(),
                    new TorchrunLaunch(),
                    new SlurmScript(),
                    new AccelerateConfig(),
                    new DeepSpeedConfig(),
                    new TrainerArguments(),
                    new MegatronArguments(),
                    new TorchtitanConfig(),
                    new ModelConfig());

    private EmittedFiles() {}

    /** In the order in which a person looks at them: what is run first. */
    public static List<EmittedFile> of(Job job) {
        List<EmittedFile> files = new ArrayList<>();
        TARGETS.forEach(target -> files.addAll(target.files(job)));
        return List.copyOf(files);
    }
}
