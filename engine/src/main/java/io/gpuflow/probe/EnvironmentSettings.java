package io.gpuflow.probe;

import io.gpuflow.facts.EnvVar;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.NcclConf;
import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.Redaction;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Settings of NCCL, RCCL, PyTorch and the GPU runtimes: the environment and NCCL's own files. */
final class EnvironmentSettings implements Probe {
    private static final Pattern NAMES =
            Pattern.compile(
                    "(NCCL|RCCL|TORCH|PYTORCH|CUDA|NVIDIA|NVSHMEM|HIP|ROCR|HSA|GLOO|UCX|FI|OMP|MASTER)"
                            + "_.*|GPU_DEVICE_ORDINAL|LD_LIBRARY_PATH|LD_PRELOAD|USE_LIBUV|RANK"
                            + "|WORLD_SIZE|LOCAL_RANK");

    /** Longer values say nothing that a person reads. */
    private static final int MAX_VALUE = 500;

    @Override
    public String name() {
        return "environment";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of();
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<Observed> facts = new ArrayList<>();
        Map<String, String> environment = new TreeMap<>(tools.environment());
        environment.forEach(
                (name, value) -> {
                    if (NAMES.matcher(name).matches()) {
                        facts.add(fact(name, value, "environment", "environment"));
                    }
                });
        files(environment).forEach((path, where) -> facts.addAll(read(tools, path, where)));
        return facts;
    }

    /** Configuration files by path, with the name a person knows them by. */
    private static Map<String, String> files(Map<String, String> environment) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("/etc/nccl.conf", "/etc/nccl.conf");
        files.put("/etc/rccl.conf", "/etc/rccl.conf");
        String own = environment.get("NCCL_CONF_FILE");
        String home = environment.get("HOME");
        if (own != null && own.startsWith("/")) {
            files.put(own, "NCCL_CONF_FILE");
        } else if (home != null && home.startsWith("/")) {
            files.put(home + "/.nccl.conf", "~/.nccl.conf");
            files.put(home + "/.rccl.conf", "~/.rccl.conf");
        }
        return files;
    }

    private static List<Observed> read(Tools tools, String path, String where) {
        FileResult file = tools.read(path);
        if (file.absent()) {
            return List.of();
        }
        if (!file.ok()) {
            return List.of(Answer.unknown("EnvVar(" + where + ")", Failure.of(file), path));
        }
        List<Observed> facts = new ArrayList<>();
        new NcclConf()
                .parse(file.text())
                .settings()
                .forEach((name, value) -> facts.add(fact(name, value, where, path)));
        return facts;
    }

    private static Observed fact(String name, String value, String where, String source) {
        String shown = Redaction.value(name, value);
        String cut = shown.length() <= MAX_VALUE ? shown : shown.substring(0, MAX_VALUE) + "…";
        return Answer.known(new EnvVar(name, cut, where), source);
    }
}
