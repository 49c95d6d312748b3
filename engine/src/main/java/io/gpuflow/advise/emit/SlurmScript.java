package io.gpuflow.advise.emit;

import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.Placement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A batch script for Slurm: one torchrun on every node. */
final class SlurmScript implements Target {
    @Override
    public List<EmittedFile> files(Job job) {
        String program = program(job);
        if (program == null) {
            return List.of();
        }
        Placement p = job.placement();
        String rendezvous =
                p.nodes() == 1
                        ? "--standalone"
                        : "--nnodes="
                                + p.nodes()
                                + " --rdzv-backend=c10d --rdzv-id=\"$SLURM_JOB_ID\""
                                + " --rdzv-endpoint=\"$head:29500\"";
        Map<String, Object> values = new HashMap<>();
        values.put("ABOUT", job.about());
        values.put("JOB", job.layout().strategy().replaceAll("[^a-z0-9]+", "-"));
        values.put("NODES", p.nodes());
        values.put("LOCAL", p.local());
        values.put("CPUS", (p.threads() == null ? 8 : p.threads()) * p.local());
        values.put("ENV", TorchrunLaunch.environment(job));
        values.put("COMMAND", TorchrunLaunch.torchrun(job, rendezvous) + program);
        return List.of(new EmittedFile("job.sbatch", Template.fill("job.sbatch", values)));
    }

    private static String program(Job job) {
        return TorchrunLaunch.program(job, "--steps 1000");
    }
}
