package io.gpuflow.probe;

import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.ToolResult;
import java.util.List;
import java.util.Locale;

/** Says in one line why a question had no answer, in the tool's own words, and what to do next. */
final class Failure {
    private static final int MAX_WORDS = 200;

    /**
     * What drivers' tools say, in lower case, and the next step. Longer phrases stand before those
     * they contain.
     */
    private static final String[][] NEXT = {
        {
            "driver/library version mismatch",
            "the driver was updated while its kernel module stayed loaded: reboot, or reload the"
                    + " nvidia modules"
        },
        {
            "failed to initialize nvml: unknown error",
            "in a container this means that it lost access to /dev/nvidia*: restart the container"
        },
        {
            "failed to initialize nvml: insufficient permissions",
            "allow this user to open /dev/nvidia*"
        },
        {
            "gpu access blocked by the operating system",
            "look at the host's GPU settings (WSL, vGPU)"
        },
        {
            "couldn't communicate with the nvidia driver",
            "see whether the kernel module is loaded (lsmod | grep nvidia; sudo modprobe nvidia) and"
                    + " what dmesg says"
        },
        {
            "libnvidia-ml.so",
            "install the driver's libraries; start a container with the NVIDIA runtime (--gpus all)"
        },
        {
            "unable to determine the device handle",
            "a GPU no longer answers: look for Xid in dmesg; a reboot brings it back if the hardware"
                    + " is sound"
        },
        {
            "gpu is lost",
            "a GPU left the bus: look for Xid 79 in dmesg, then power-cycle the machine"
        },
        {
            "no devices were found",
            "the driver runs but has no GPU: see dmesg | grep NVRM; in a container, start it with"
                    + " --gpus all"
        },
        {
            "missing the following",
            "add this user to the groups video and render, then log in again"
        },
        {
            "render and video groups",
            "add this user to the groups video and render, then log in again"
        },
        {"amdgpu not found in modules", "load the kernel module: sudo modprobe amdgpu"},
        {"driver not loaded", "load the kernel module: sudo modprobe amdgpu"},
        {
            "amdsmi_status_no_perm",
            "add this user to the groups video and render, then log in again"
        },
        {"read kernel buffer failed", "sudo dmesg shows it (kernel.dmesg_restrict is 1)"},
    };

    private Failure() {}

    static String of(ToolResult result) {
        return of(result, String.join(" ", result.argv()));
    }

    /**
     * Null when the command ended by itself with exit status 0.
     *
     * @param command what to call it
     */
    static String of(ToolResult result, String command) {
        return switch (result.outcome()) {
            case EXITED -> result.exit() == 0 ? null : exited(result, command);
            case MISSING -> naming(program(result), result.why());
            case TIMED_OUT ->
                    command
                            + " "
                            + result.why()
                            + ": the driver or the device may be stuck (see dmesg)";
            case NOT_RECORDED -> command + " is not in the recording";
            default -> command + ": " + result.why();
        };
    }

    static String of(FileResult file) {
        return file.path() + " " + file.why();
    }

    /** For output with exit status 0 that the parser could make nothing of. */
    static String unreadable(ToolResult result, String command, String error) {
        return command + ": " + withNext(words(result, error));
    }

    private static String exited(ToolResult result, String command) {
        String words = words(result, null);
        String said = words.isEmpty() ? "exit status " + result.exit() : withNext(words);
        return command + ": " + said;
    }

    /** The most telling line: one we know the meaning of, else the first of stderr or stdout. */
    private static String words(ToolResult result, String error) {
        List<String> lines =
                (result.stderr() + "\n" + result.stdout())
                        .lines()
                        .map(String::strip)
                        .filter(l -> !l.isEmpty())
                        .limit(200)
                        .toList();
        String known = lines.stream().filter(l -> next(l) != null).findFirst().orElse(null);
        String line = known != null ? known : error;
        if (line == null) {
            line = lines.isEmpty() ? "" : lines.get(0);
        }
        return line.length() <= MAX_WORDS ? line : line.substring(0, MAX_WORDS) + "…";
    }

    private static String withNext(String words) {
        String next = next(words);
        return next == null ? words : words.replaceFirst("[.;]$", "") + ". Next: " + next + ".";
    }

    private static String next(String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        for (String[] entry : NEXT) {
            if (lower.contains(entry[0])) {
                return entry[1];
            }
        }
        return null;
    }

    private static String naming(String program, String why) {
        return why.contains(program) ? why : program + ": " + why;
    }

    private static String program(ToolResult result) {
        return result.argv().isEmpty() ? "the command" : result.argv().get(0);
    }
}
