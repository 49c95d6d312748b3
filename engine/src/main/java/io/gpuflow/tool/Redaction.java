package io.gpuflow.tool;

import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What of an environment and of a command line may be written to disk. */
public final class Redaction {
    /** Stands for a value that is not kept. */
    public static final String MASK = SecretMask.MASK;

    /** The variables that change what a GPU, a communication library or a launcher does. */
    private static final Pattern RELEVANT =
            Pattern.compile(
                    "(NCCL|RCCL|TORCH|PYTORCH|TORCHELASTIC|CUDA|CUBLAS|CUDNN|NVIDIA|NVSHMEM|NVTE|HIP"
                            + "|ROCR|ROCM|HSA|AMD|GPU|MIOPEN|OMP|MKL|KMP|OPENBLAS|GLOO|TP|MASTER"
                            + "|RDMAV|IBV|MLX4|MLX5|UCX|FI|OMPI|PMI|PMIX|PRTE|MPI|SLURM|SLURMD"
                            + "|PBS|LSB|FLUX|RAY|DEEPSPEED|ACCELERATE|FSDP|MEGATRON|APPTAINER"
                            + "|SINGULARITY|KUBERNETES|CONDA|GPUFLOW)_.*"
                            + "|RANK|WORLD_SIZE|LOCAL_RANK|LOCAL_WORLD_SIZE|GROUP_RANK|NODE_RANK"
                            + "|ROLE_.*|USE_LIBUV|HOME|PATH|LD_LIBRARY_PATH|LD_PRELOAD|PYTHONPATH"
                            + "|VIRTUAL_ENV|LANG|LC_ALL|TMPDIR|container");

    private static final Pattern SECRET =
            Pattern.compile(
                    "(?i).*(TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE|COOKIE|SIGNATURE|JWT"
                            + "|BEARER|(^|[_-])(KEY|KEYS|PWD|AUTH|PAT|DSN)([_-]|$)|APIKEY).*");

    /** An option whose value, after = or in the next argument, is a secret. */
    private static final Pattern SECRET_OPTION =
            Pattern.compile(
                    "(?i)--?[a-z0-9_-]*(token|secret|passw|passphrase|credential|api[_-]?key)"
                            + "[a-z0-9_-]*");

    private static final Pattern URL_PASSWORD = Pattern.compile("(://[^/\\s:@]*):[^/\\s@]+@");

    /** {@code export API_TOKEN=…} in a script; what a variable holds is not told by its text. */
    private static final Pattern ASSIGNMENT =
            Pattern.compile("\\b([A-Za-z_][A-Za-z0-9_]*)=(\"[^\"$`]*\"|'[^']*'|[^\\s;&|\"'$`()]+)");

    /** The current folder, and where an agent listens, are no secrets though they sound so. */
    private static final Pattern NO_SECRET = Pattern.compile("(OLD)?PWD|.*_(SOCK|FILE|PATH|DIR)");

    private Redaction() {}

    /** Values of variables whose names say that they are secret. */
    public static List<String> secretValues(Map<String, String> variables) {
        List<String> values = new ArrayList<>();
        variables.forEach(
                (name, value) -> {
                    if (isSecret(name) && mayBeSecret(value)) {
                        values.add(value);
                    }
                });
        return values;
    }

    /** Values of options whose names say that they are secret. */
    public static List<String> secretArguments(List<String> argv) {
        List<String> clean = argv(argv, List.of());
        List<String> values = new ArrayList<>();
        for (int i = 0; i < argv.size(); i++) {
            String argument = argv.get(i);
            if (!argument.equals(clean.get(i))) {
                int masked = clean.get(i).indexOf(MASK);
                int after = clean.get(i).length() - masked - MASK.length();
                String value = argument.substring(masked, argument.length() - after);
                if (mayBeSecret(value)) {
                    values.add(value);
                }
            }
        }
        return values;
    }

    /** Literal values that a script gives to variables whose names say that they are secret. */
    public static List<String> secretAssignments(String script) {
        Map<String, String> variables = new TreeMap<>();
        ASSIGNMENT
                .matcher(script)
                .results()
                .forEach(
                        match ->
                                variables.put(
                                        match.group(1),
                                        match.group(2).replaceAll("^[\"']|[\"']$", "")));
        return secretValues(variables);
    }

    /** The text with secret values masked wherever they stand in it. */
    public static String masked(String text, Collection<String> values) {
        return values.isEmpty() ? text : SecretMask.mask(text, values);
    }

    /** False for what gives nothing away or would mask ordinary text: numbers, words, paths. */
    private static boolean mayBeSecret(String value) {
        return value.length() >= SecretMask.SHORTEST
                && !value.matches("(?i)[\\d.]{1,7}|true|false|none|null|default|auto|\\*+")
                && !(value.startsWith("/") && new File(value).exists());
    }

    /** The variables that matter for a diagnosis, without secrets, sorted. */
    public static Map<String, String> relevant(Map<String, String> environment) {
        Map<String, String> kept = new TreeMap<>();
        environment.forEach(
                (name, value) -> {
                    if (RELEVANT.matcher(name).matches() && !name.equals(Mark.VARIABLE)) {
                        kept.put(name, value(name, value));
                    }
                });
        return kept;
    }

    /** The value of a variable, or the mask when its name says that it is a secret. */
    public static String value(String name, String value) {
        if (value == null || value.isEmpty()) {
            return value;
        }
        return isSecret(name) ? MASK : URL_PASSWORD.matcher(value).replaceAll("$1:" + MASK + "@");
    }

    /** Whether a variable of this name holds something that must not be stored. */
    public static boolean isSecret(String name) {
        // A count of tokens is no token: TOKENIZERS_PARALLELISM, NCCL_..._TOKENS.
        String upper = name.toUpperCase(Locale.ROOT).replaceAll("TOKENIZERS?|TOKENS", "");
        return SECRET.matcher(upper).matches() && !NO_SECRET.matcher(upper).matches();
    }

    /** A command line without the declared secrets and without values of options that name one. */
    static List<String> argv(List<String> argv, Collection<String> secrets) {
        List<String> clean = new ArrayList<>();
        boolean valueIsNext = false;
        for (String argument : argv) {
            int equals = argument.indexOf('=');
            String option = equals < 0 ? argument : argument.substring(0, equals);
            boolean secret = SECRET_OPTION.matcher(option).matches() && isSecret(option);
            if (valueIsNext && !argument.startsWith("-")) {
                clean.add(MASK);
            } else if (secret && equals > 0) {
                clean.add(option + "=" + MASK);
            } else {
                String masked = SecretMask.mask(argument, secrets);
                clean.add(URL_PASSWORD.matcher(masked).replaceAll("$1:" + MASK + "@"));
            }
            valueIsNext = secret && equals < 0;
        }
        return clean;
    }
}
