package io.gpuflow.parse;

import java.util.List;
import java.util.Locale;

/**
 * The words in which GPU tools, shells and launchers say that they could not answer. Each is a
 * phrase that the program's own source or documentation prints; case is ignored.
 */
final class ToolErrors {
    /** Phrase, id. The first phrase that a line contains wins, so longer ones stand first. */
    private static final String[][] PHRASES = {
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
        {"no devices were found", "no-devices"},
        {"no devices found", "no-devices"},
        {"gpu is lost", "gpu-lost"},
        {"unable to determine the device handle", "device-handle"},
        {"must be used in conjunction with", "usage-error"},
        {"invalid combination of input arguments", "usage-error"},
        {"is not a valid argument", "usage-error"},
        {"is not recognized. please run", "usage-error"},
        {"unrecognized arguments", "usage-error"},
        {"invalid choice:", "usage-error"},
        {"option is not supported", "not-supported"},
        {"is not recognized as an internal or external command", "command-not-found"},
        {"command not found", "command-not-found"},
        {"executable file not found", "command-not-found"},
        {"nvidia-smi: not found", "command-not-found"},
        {"rocm-smi: not found", "command-not-found"},
        {"amd-smi: not found", "command-not-found"},
        {"driver not initialized (amdgpu not found in modules)", "driver-not-running"},
        {"amdsmi_status_driver_not_loaded", "driver-not-running"},
        {"amdsmi_status_no_drv", "driver-not-running"},
        {"unable to detect any gpu devices", "no-devices"},
        {"unable to detect any gpu", "no-devices"},
        {"no amd gpus specified", "no-devices"},
        {"no amd gpu", "no-devices"},
        {"no gpus found", "no-devices"},
        {"error while loading shared libraries", "library-missing"},
        {"cannot open shared object file", "library-missing"},
        {"permission denied", "permission-denied"},
        {"no such file or directory", "no-such-file"},
        {"segmentation fault", "crashed"},
        {"there are not enough slots available", "mpi-not-enough-slots"},
        {"unable to confirm allocation", "slurm-no-allocation"},
        {"connection timed out", "timed-out"},
        {"timed out", "timed-out"},
    };

    /** Such messages are short; a long line is data. */
    private static final int MAX_LINE = 500;

    private ToolErrors() {}

    /** The first line that is such a message, or null. */
    static Failure in(List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            String id = idOf(lines.get(i));
            if (id != null) {
                return new Failure(id, Excerpt.of(lines.get(i)), i + 1);
            }
        }
        return null;
    }

    /** The id of the message that a line is, or null. */
    static String idOf(String line) {
        String text = line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE);
        text = text.toLowerCase(Locale.ROOT);
        for (String[] phrase : PHRASES) {
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
