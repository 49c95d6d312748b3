package io.gpuflow.probe;

import io.gpuflow.facts.Driver;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.KernelModule;
import io.gpuflow.facts.Observed;
import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** /proc/modules: which modules of GPU and RDMA drivers are loaded, and their versions. */
final class KernelModules implements Probe {
    private static final List<String> NAMES =
            List.of(
                    "nvidia",
                    "nvidia_uvm",
                    "nvidia_peermem",
                    "nv_peer_mem",
                    "nvidia_fs",
                    "gdrdrv",
                    "nouveau",
                    "amdgpu",
                    "ib_umad",
                    "ib_uverbs",
                    "mlx5_core",
                    "mlx5_ib",
                    "efa");

    @Override
    public String name() {
        return "kernel-modules";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(KernelModule.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        String source = "/proc/modules";
        FileResult modules = tools.read(source);
        if (!modules.ok()) {
            return Answer.unknown(brings(), Failure.of(modules), source);
        }
        Set<String> loaded =
                modules.text().lines().map(l -> l.split(" ", 2)[0]).collect(Collectors.toSet());
        List<Observed> facts = new ArrayList<>();
        for (String name : NAMES) {
            String version = loaded.contains(name) ? OneLine.of(tools, versionFile(name)) : null;
            KernelModule module = new KernelModule(name, loaded.contains(name), version);
            facts.add(Answer.known(module, source));
            if (version != null && (name.equals("nvidia") || name.equals("amdgpu"))) {
                String vendor = name.equals("nvidia") ? "nvidia" : "amd";
                facts.add(Answer.known(new Driver(vendor, version, null), versionFile(name)));
            }
        }
        return facts;
    }

    private static String versionFile(String name) {
        return "/sys/module/" + name + "/version";
    }
}
