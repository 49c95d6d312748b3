package io.gpuflow.flow;

import io.gpuflow.facts.EnvVar;
import io.gpuflow.facts.Observed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Variables that a configuration file sets, such as /etc/nccl.conf. NCCL takes the file's value
 * when the environment has none, so taking the variable out of the environment does not undo it;
 * only another value in the environment outranks the file.
 */
final class FileSettings {
    private final Map<String, String> files = new LinkedHashMap<>();

    FileSettings(List<Observed> facts) {
        for (Observed observed : facts) {
            if (observed.fact() instanceof EnvVar variable && variable.where().endsWith(".conf")) {
                files.putIfAbsent(variable.name(), variable.where());
            }
        }
    }

    /** The file that sets a variable, or null. */
    String of(String variable) {
        return files.get(variable);
    }

    /**
     * What stands for "unset" where a file sets the variable: its default, if we know it; else null
     * as without a file. NCCL reads 0 for a switch that turns something off like no variable.
     */
    String outranking(String variable) {
        return files.containsKey(variable) && variable.endsWith("_DISABLE") ? "0" : null;
    }

    /** Why a variable that is to be unset would keep its value, or null. */
    String keeps(Map<String, String> env) {
        for (Map.Entry<String, String> variable : env.entrySet()) {
            String file = files.get(variable.getKey());
            if (variable.getValue() == null && file != null) {
                return file
                        + " sets "
                        + variable.getKey()
                        + ", so unsetting it changes nothing; remove it there and run again";
            }
        }
        return null;
    }
}
