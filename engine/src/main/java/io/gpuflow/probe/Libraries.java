package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Software;
import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Installed copies of NCCL and RCCL, and the versions of the CUDA toolkit and of ROCm. */
final class Libraries implements Probe {
    private static final List<String> FOLDERS =
            List.of(
                    "/usr/lib/x86_64-linux-gnu",
                    "/usr/lib/aarch64-linux-gnu",
                    "/usr/lib64",
                    "/usr/local/lib",
                    "/usr/local/cuda/lib64",
                    "/opt/rocm/lib");

    // libnccl.so.2.21.5      librccl.so.1.0.60300
    private static final Pattern LIBRARY =
            Pattern.compile(".*/lib(nccl|rccl)\\.so\\.(\\d{1,4}(?:\\.\\d{1,6}){1,3})");
    // "cuda" : { "name" : "CUDA SDK", "version" : "13.0.20250711" }
    private static final Pattern CUDA =
            Pattern.compile(
                    "\"cuda\"\\s*:\\s*\\{[^}]{0,200}?\"version\"\\s*:\\s*\"([^\"]{1,40})\"");

    /** LD_LIBRARY_PATH may be long; more folders than this are not looked into. */
    private static final int MAX_FOLDERS = 20;

    @Override
    public String name() {
        return "libraries";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of();
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<Observed> facts = new ArrayList<>();
        for (String folder : folders(tools)) {
            facts.addAll(copies(tools, folder));
        }
        FileResult cuda = tools.read("/usr/local/cuda/version.json");
        Matcher m = CUDA.matcher(cuda.ok() ? cuda.text() : "");
        if (m.find()) {
            facts.add(known("cuda-toolkit", m.group(1), cuda.path()));
        }
        FileResult rocm = tools.read("/opt/rocm/.info/version");
        if (rocm.ok() && !rocm.text().isBlank()) {
            facts.add(
                    known("rocm", rocm.text().strip().lines().findFirst().orElse(""), rocm.path()));
        }
        return facts;
    }

    private static Set<String> folders(Tools tools) {
        Set<String> folders = new LinkedHashSet<>();
        String path = tools.environment().getOrDefault("LD_LIBRARY_PATH", "");
        for (String folder : path.split(":")) {
            if (folder.startsWith("/") && folder.indexOf('*') < 0 && folders.size() < MAX_FOLDERS) {
                folders.add(folder.replaceAll("/+$", ""));
            }
        }
        folders.addAll(FOLDERS);
        return folders;
    }

    private static List<Observed> copies(Tools tools, String folder) {
        List<Observed> facts = new ArrayList<>();
        for (String name : List.of("nccl", "rccl")) {
            try {
                for (String path : tools.glob(folder + "/lib" + name + ".so.*.*")) {
                    Matcher m = LIBRARY.matcher(path);
                    if (m.matches()) {
                        facts.add(known(name, m.group(2), path));
                    }
                }
            } catch (Tools.NotKnown e) {
                // A folder that can't be listed holds no copy that this user could load.
            }
        }
        return facts;
    }

    private static Observed known(String name, String version, String path) {
        return Answer.known(new Software(name, version, path), path);
    }
}
