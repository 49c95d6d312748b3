package io.gpuflow.probe;

import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What betrays that we look from inside a container, a sandbox or a virtual machine. */
final class ContainerHints {
    /** gVisor always tells this kernel. */
    private static final String GVISOR = "4.4.0 #1 SMP Sun Jan 10 15:06:54 PST 2016";

    private final Tools tools;
    private final List<String> hints = new ArrayList<>();
    private String kind;
    private boolean asked;
    private String refusal;

    private ContainerHints(Tools tools) {
        this.tools = tools;
    }

    /**
     * What was found.
     *
     * @param kind none, docker, podman, kubernetes, apptainer, lxc, wsl or container; null when
     *     nothing answered
     * @param why the reason when kind is null
     */
    record Found(String kind, List<String> hints, String why) {}

    static Found look(Tools tools) {
        ContainerHints h = new ContainerHints(tools);
        // The most telling first: the first kind found stands.
        h.environment();
        h.files();
        h.groups();
        h.kernel();
        h.virtualMachine();
        String kind = h.kind != null ? h.kind : h.asked ? "none" : null;
        return new Found(kind, h.hints, kind == null ? h.refusal : null);
    }

    /** Whether this is a container of any kind; WSL is a machine of its own here. */
    static boolean isContainer(Tools tools) {
        String kind = look(tools).kind();
        return kind != null && !kind.equals("none") && !kind.equals("wsl");
    }

    private void environment() {
        Map<String, String> env = tools.environment();
        if (env.containsKey("KUBERNETES_SERVICE_HOST")) {
            found("kubernetes", "KUBERNETES_SERVICE_HOST is set");
        }
        if (env.containsKey("APPTAINER_CONTAINER") || env.containsKey("SINGULARITY_CONTAINER")) {
            found("apptainer", "APPTAINER_CONTAINER or SINGULARITY_CONTAINER is set");
        }
        String container = env.get("container");
        if (container != null && !container.isBlank()) {
            found(kindOf(container), "container=" + container);
        }
    }

    private void files() {
        FileResult podman = read("/run/.containerenv");
        if (podman.ok()) {
            found("podman", "/run/.containerenv exists");
        }
        if (read("/.dockerenv").ok()) {
            found("docker", "/.dockerenv exists");
        }
    }

    private void groups() {
        FileResult groups = read("/proc/1/cgroup");
        for (String line :
                groups.ok() ? groups.text().lines().limit(50).toList() : List.<String>of()) {
            String path = line.substring(line.lastIndexOf(':') + 1);
            for (String word : List.of("kubepods", "docker", "libpod", "containerd", "lxc")) {
                if (path.contains(word)) {
                    found(kindOf(word), "/proc/1/cgroup names " + word);
                    return;
                }
            }
        }
    }

    private void kernel() {
        FileResult version = read("/proc/version");
        String text = version.ok() ? version.text() : "";
        if (text.contains(GVISOR)) {
            found("container", "the kernel is gVisor's");
        }
        if (text.toLowerCase(Locale.ROOT).contains("microsoft")) {
            found("wsl", "/proc/version names Microsoft");
        }
    }

    private void virtualMachine() {
        FileResult vendor = read("/sys/class/dmi/id/sys_vendor");
        FileResult product = read("/sys/class/dmi/id/product_name");
        FileResult cpu = read("/proc/cpuinfo");
        boolean flagged =
                cpu.ok() && cpu.text().lines().limit(60).anyMatch(ContainerHints::isGuest);
        if (flagged) {
            String name = (text(vendor) + " " + text(product)).strip();
            hints.add("virtual machine" + (name.isEmpty() ? "" : ": " + name));
        }
    }

    private static boolean isGuest(String line) {
        return line.startsWith("flags") && (line + " ").contains(" hypervisor ");
    }

    private static String text(FileResult file) {
        return file.ok() ? file.text().strip() : "";
    }

    private static String kindOf(String word) {
        return switch (word) {
            case "kubepods" -> "kubernetes";
            case "docker" -> "docker";
            case "podman", "libpod" -> "podman";
            case "lxc" -> "lxc";
            default -> "container";
        };
    }

    private FileResult read(String path) {
        FileResult file = tools.read(path);
        boolean told = file.ok() || file.absent();
        asked |= told;
        refusal = told || refusal != null ? refusal : Failure.of(file);
        return file;
    }

    private void found(String kind, String hint) {
        this.kind = this.kind == null ? kind : this.kind;
        hints.add(hint);
    }
}
