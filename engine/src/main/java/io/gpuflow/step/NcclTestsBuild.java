package io.gpuflow.step;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Software;
import io.gpuflow.flow.Action;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Builds nccl-tests or rccl-tests from a checkout, in a copy, for the GPUs of this machine alone
 * and without MPI, which one machine does not need. Built once a run: the copy lies beside the
 * folders of the step's attempts.
 */
final class NcclTestsBuild {
    private static final int MOST_JOBS = 16;

    private final Action.Context context;
    private final KnownFacts known;
    private final Path checkout;
    private final Path copy;
    private final List<String> libraries = new ArrayList<>();

    NcclTestsBuild(Action.Context context, KnownFacts known, Path checkout) {
        this.context = context;
        this.known = known;
        this.checkout = checkout;
        this.copy = context.folder().toAbsolutePath().resolveSibling("nccl-tests");
    }

    String program(String op) {
        return copy + "/build/" + op + "_perf";
    }

    /** Folders of the NCCL that it was linked with. */
    List<String> libraries() {
        return List.copyOf(libraries);
    }

    /** Why it could not be built, null when it could. */
    String run(Duration limit) {
        boolean amd = known.all(Gpu.class).stream().anyMatch(g -> "amd".equals(g.vendor()));
        List<String> make = new ArrayList<>(List.of("make", "-j" + jobs(), "MPI=0"));
        String missing = amd ? rocm(make) : cuda(make);
        if (missing != null) {
            return "nccl-tests could not be built: " + missing;
        }
        if (Files.isDirectory(copy.resolve("build"))) {
            return null; // another attempt of this step has built it
        }
        try {
            Files.createDirectories(copy);
        } catch (IOException e) {
            return "nccl-tests could not be copied: " + e.getMessage();
        }
        ToolResult copied = call(List.of("cp", "-R", checkout + "/.", "."), limit);
        if (!copied.ok()) {
            return "nccl-tests could not be copied: " + words(copied);
        }
        ToolResult made = call(make, limit);
        return made.ok() ? null : "nccl-tests could not be built: " + words(made);
    }

    private ToolResult call(List<String> argv, Duration limit) {
        ToolCall call = new ToolCall(argv, Map.of(), copy, limit);
        return context.tools().run(call, context.lines());
    }

    private static String words(ToolResult result) {
        return result.why() != null
                ? result.why()
                : "exit " + result.exit() + ": " + LastLine.of(result.stderr());
    }

    private static int jobs() {
        return Math.max(1, Math.min(MOST_JOBS, Runtime.getRuntime().availableProcessors()));
    }

    private String cuda(List<String> make) {
        String cuda = home("CUDA_HOME", "/usr/local/cuda", "/bin/nvcc");
        if (cuda == null) {
            return "no nvcc in $CUDA_HOME or /usr/local/cuda; install the CUDA toolkit or name its folder in CUDA_HOME";
        }
        make.add("CUDA_HOME=" + cuda);
        String codes = generations();
        if (!codes.isEmpty()) {
            make.add("NVCC_GENCODE=" + codes);
        }
        if (exists("/usr/include/nccl.h") || exists(cuda + "/include/nccl.h")) {
            return null;
        }
        String nccl = context.tools().environment().get("NCCL_HOME");
        if (nccl == null || !exists(nccl + "/include/nccl.h")) {
            nccl = fromWheel();
        }
        if (nccl == null) {
            return "no nccl.h; install libnccl-dev or name NCCL's folder in NCCL_HOME";
        }
        make.add("NCCL_HOME=" + nccl);
        libraries.add(nccl + "/lib");
        return null;
    }

    private String rocm(List<String> make) {
        String rocm = home("ROCM_PATH", "/opt/rocm", "/bin/hipcc");
        if (rocm == null) {
            return "no hipcc in $ROCM_PATH or /opt/rocm";
        }
        make.add("HIP_HOME=" + rocm);
        make.add("NCCL_HOME=" + rocm);
        List<String> targets = capabilities();
        if (!targets.isEmpty()) {
            make.add("GPU_TARGETS=" + String.join(",", targets));
        }
        return null;
    }

    private String home(String variable, String usual, String program) {
        String named = context.tools().environment().get(variable);
        for (String home : named == null ? List.of(usual) : List.of(named, usual)) {
            if (exists(home + program)) {
                return home;
            }
        }
        return null;
    }

    private List<String> capabilities() {
        return known.all(Gpu.class).stream()
                .map(Gpu::computeCapability)
                .filter(c -> c != null && c.matches("gfx[0-9a-f]+|[0-9]+\\.[0-9]"))
                .distinct()
                .toList();
    }

    /** Only the present generation: all of them take several times as long to compile. */
    private String generations() {
        StringBuilder codes = new StringBuilder();
        for (String capability : capabilities()) {
            String code = capability.replace(".", "");
            codes.append(codes.length() == 0 ? "" : " ");
            codes.append("-gencode=arch=compute_").append(code).append(",code=sm_").append(code);
        }
        return codes.toString();
    }

    /** PyTorch's wheel has nccl.h, but its library only by the name libnccl.so.2. */
    private String fromWheel() {
        for (Software software : known.all(Software.class)) {
            if (!software.name().equals("nccl") || software.where() == null) {
                continue;
            }
            Path library = Path.of(software.where());
            Path home = library.getParent() == null ? null : library.getParent().getParent();
            if (home != null && exists(home + "/include/nccl.h")) {
                return linked(home, library);
            }
        }
        return null;
    }

    private String linked(Path home, Path library) {
        Path own = copy.resolveSibling("nccl");
        try {
            Files.createDirectories(own.resolve("lib"));
            link(own.resolve("include"), home.resolve("include"));
            link(own.resolve("lib/libnccl.so"), library);
            link(own.resolve("lib").resolve(library.getFileName()), library);
            return own.toString();
        } catch (IOException e) {
            return null;
        }
    }

    private static void link(Path link, Path target) throws IOException {
        if (!Files.isSymbolicLink(link)) {
            Files.createSymbolicLink(link, target);
        }
    }

    private boolean exists(String path) {
        try {
            return !context.tools().glob(path).isEmpty();
        } catch (Tools.NotKnown e) {
            return false;
        }
    }
}
