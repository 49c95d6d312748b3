package io.gpuflow.parse;

import java.util.List;
import java.util.Locale;

/**
 * The words in which GPU tools, shells and launchers say that they could not answer. Each is a
 * phrase that the program's own source or documentation prints; case is ignored.
 */
final class ToolErrors {
    /** Phrase, id. The first phrase that a line contains wins, so longer ones stand first. */
    private static final String[][] GPU_PHRASES = {
        {"failed to initialize nvml: driver/library version mismatch", "nvml-version-mismatch"},
        {"failed to initialize nvml: unknown error", "nvml-unknown-error"},
        {"failed to initialize nvml: insufficient permissions", "nvml-no-permission"},
        {"failed to initialize nvml: gpu access blocked", "nvml-access-blocked"},
        {"failed to initialize nvml: driver not loaded", "driver-not-running"},
        {"failed to initialize nvml", "nvml-failed"},
        {"nvml: driver/library version mismatch", "nvml-version-mismatch"},
        {"couldn't communicate with the nvidia driver", "driver-not-running"},
        {"couldn't find libnvidia-ml.so", "nvml-library-missing"},
        {"gpu access blocked by the operating system", "nvml-access-blocked"},
        {"nvidia-smi has failed because you do not have", "nvml-no-permission"},
        {"nvidia-smi has failed", "nvidia-smi-failed"},
        {"no devices were found", "no-devices"},
        {"no devices found", "no-devices"},
        {"gpu is lost", "gpu-lost"},
        {"unable to determine the device handle", "device-handle"},
        {"command line argument must be used in conjunction with", "usage-error"},
        {"invalid combination of input arguments", "usage-error"},
        {"is not recognized. please run", "usage-error"},
        {"driver not initialized (amdgpu not found in modules)", "driver-not-running"},
        {"drivers not loaded (amdgpu", "driver-not-running"},
        {"driver not loaded (amdgpu", "driver-not-running"},
        {"amdsmi_status_driver_not_loaded", "driver-not-running"},
        {"amdsmi_status_no_drv", "driver-not-running"},
        {"amdsmi_status_", "amdsmi-failed"},
        {"unable to detect any gpu", "no-devices"},
        {"no amd gpu", "no-devices"},
        {"unable to open /dev/kfd", "permission-denied"},
        {"nvidia-smi: not found", "command-not-found"},
        {"rocm-smi: not found", "command-not-found"},
        {"amd-smi: not found", "command-not-found"},
        {"nvidia-smi: command not found", "command-not-found"},
        {"rocm-smi: command not found", "command-not-found"},
        {"amd-smi: command not found", "command-not-found"},
        {"command not found: nvidia-smi", "command-not-found"},
    };

    /** The same for what any program, shell or launcher may say. */
    private static final String[][] PHRASES = {
        {"is not a valid argument", "usage-error"},
        {"unrecognized arguments", "usage-error"},
        {"invalid choice:", "usage-error"},
        {"is not recognized as an internal or external command", "command-not-found"},
        {"command not found", "command-not-found"},
        {"executable file not found", "command-not-found"},
        {"there are not enough slots available", "mpi-not-enough-slots"},
        {"unable to confirm allocation", "slurm-no-allocation"},
        {"was unable to launch the specified application", "mpi-cannot-launch"},
        {"error while loading shared libraries", "library-missing"},
        {"cannot open shared object file", "library-missing"},
        {"no gpus found", "no-devices"},
        {"permission denied", "permission-denied"},
        {"no such file or directory", "no-such-file"},
        {"segmentation fault", "crashed"},
        {"timed out", "timed-out"},
        {"not supported", "not-supported"},
    };

    /** Such messages are short; a long line is data. */
    private static final int MAX_LINE = 500;

    private ToolErrors() {}

    /** The first line that is such a message, or null; a GPU tool's own before any other's. */
    static Failure in(List<String> lines) {
        Failure failure = ofGpuTool(lines);
        return failure != null ? failure : first(lines, PHRASES);
    }

    /** The first line in which a GPU tool says so, or null. */
    static Failure ofGpuTool(List<String> lines) {
        return first(lines, GPU_PHRASES);
    }

    private static Failure first(List<String> lines, String[][] phrases) {
        for (int i = 0; i < lines.size(); i++) {
            String id = idOf(lines.get(i), phrases);
            if (id != null) {
                return new Failure(id, Excerpt.of(lines.get(i)), i + 1);
            }
        }
        return null;
    }

    private static String idOf(String line, String[][] phrases) {
        String text = line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE);
        text = text.toLowerCase(Locale.ROOT);
        for (String[] phrase : phrases) {
            if (text.contains(phrase[0])) {
                return phrase[1];
            }
        }
        return null;
    }

    /** Locale-free; the phrase is lower case ASCII. */
    static boolean containsIgnoringCase(String line, String phrase) {
        int last = line.length() - phrase.length();
        for (int i = 0; i <= last; i++) {
            if (line.regionMatches(true, i, phrase, 0, phrase.length())) {
                return true;
            }
        }
        return false;
    }
}
