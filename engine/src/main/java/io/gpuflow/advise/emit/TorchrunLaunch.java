package io.gpuflow.advise.emit;

import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The torchrun line, with each rank on the CPUs and memory near its GPU. */
final class TorchrunLaunch implements Target {
    static final String BIND = "bind.sh";

    @Override
    public List<EmittedFile> files(Job job) {
        List<EmittedFile> files = new ArrayList<>();
        String program = program(job, "\"$@\"");
        if (program != null) {
            String text =
                    Template.fill(
                            "launch.sh",
                            Map.of(
                                    "ABOUT",
                                    job.about(),
                                    "ENV",
                                    environment(job),
                                    "COMMAND",
                                    torchrun(job, rendezvous(job)) + program));
            files.add(new EmittedFile("launch.sh", text));
        }
        if (binds(job)) {
            String cases = cases(job.placement());
            files.add(new EmittedFile(BIND, Template.fill("bind.sh", Map.of("CASES", cases))));
        }
        return files;
    }

    /** What torchrun starts, bound when the affinity is known; null when there is no script. */
    static String program(Job job, String arguments) {
        String script = TrainingScripts.launched(job);
        if (script == null && job.dataOnly() && AccelerateConfig.covers(job)) {
            script = TrainingScripts.ACCELERATE;
        }
        if (script == null) {
            return null;
        }
        String bound = binds(job) ? "--no-python bash " + BIND + " python3 " : "";
        return bound + script + " " + arguments;
    }

    static boolean binds(Job job) {
        return job.placement().near().stream().anyMatch(n -> n.cpus() != null);
    }

    static String torchrun(Job job, String rendezvous) {
        return "torchrun " + rendezvous + " --nproc-per-node=" + job.placement().local() + " ";
    }

    private static String rendezvous(Job job) {
        return job.placement().nodes() == 1
                ? "--standalone"
                : "--nnodes="
                        + job.placement().nodes()
                        + " --rdzv-backend=c10d --rdzv-id=gpuflow"
                        + " --rdzv-endpoint=\"${HEAD:?the first node, the same on every node}:29500\"";
    }

    /** export lines, or a comment when nothing need be set. */
    static String environment(Job job) {
        Placement p = job.placement();
        List<String> lines = new ArrayList<>();
        if (!p.inOrder()) {
            String gpus = p.gpus().stream().map(String::valueOf).collect(Collectors.joining(","));
            lines.add("# Neighbouring ranks are on GPUs that are joined.");
            lines.add("export CUDA_VISIBLE_DEVICES=" + gpus);
        }
        if (p.threads() != null) {
            lines.add("export OMP_NUM_THREADS=\"${OMP_NUM_THREADS:-" + p.threads() + "}\"");
        }
        lines.add("# Less fragmentation, so more of the memory can be used.");
        lines.add(
                "export PYTORCH_CUDA_ALLOC_CONF=\"${PYTORCH_CUDA_ALLOC_CONF:-expandable_segments:True}\"");
        return String.join("\n", lines);
    }

    private static String cases(Placement placement) {
        List<String> cases = new ArrayList<>();
        for (int rank = 0; rank < placement.near().size(); rank++) {
            Placement.Near near = placement.near().get(rank);
            cases.add(
                    rank
                            + ") nodes=\""
                            + text(near.numaNodes())
                            + "\" cpus=\""
                            + text(near.cpus())
                            + "\" ;; # GPU "
                            + placement.gpus().get(rank));
        }
        return String.join("\n", cases);
    }

    private static String text(String list) {
        return list == null ? "" : list;
    }
}
