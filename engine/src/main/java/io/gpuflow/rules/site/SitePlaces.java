package io.gpuflow.rules.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Where a site.yaml is looked for: the first that is there counts, and nothing is merged. */
public final class SitePlaces {
    /** The variable that names one. */
    public static final String VARIABLE = "GPUFLOW_SITE";

    private static final String NAME = "site.yaml";

    private SitePlaces() {}

    /**
     * The file that is in force. One in the current folder counts only when it belongs to the
     * caller or root and is not part of what is looked at: somebody else's file would hide what is
     * wrong.
     *
     * @param named by {@code --site}, or null
     * @param environment of the caller
     * @param current the folder where gpuflow runs
     * @param evidence files and folders that are looked at
     * @param told when a file is there and does not count
     * @return null when there is none; a file that was named is returned though it is not there
     */
    public static Path find(
            Path named,
            Map<String, String> environment,
            Path current,
            Collection<Path> evidence,
            Consumer<String> told) {
        if (named != null) {
            return named;
        }
        String variable = environment.get(VARIABLE);
        if (variable != null && !variable.isBlank()) {
            return Path.of(variable);
        }
        for (Path place : usual(environment, current)) {
            if (Files.exists(place)) {
                String problem = new Trust(evidence).ownership(place);
                if (problem == null) {
                    return place;
                }
                told.accept(
                        place + " is not used: " + problem + "; --site names it if you mean it");
            }
        }
        return null;
    }

    /** The places where one is found without being named, first ones first. */
    public static List<Path> usual(Map<String, String> environment, Path current) {
        List<Path> places = new ArrayList<>();
        places.add(current.toAbsolutePath().normalize().resolve(NAME));
        String config = environment.get("XDG_CONFIG_HOME");
        String home = environment.get("HOME");
        if (config != null && config.startsWith("/")) {
            places.add(Path.of(config, "gpuflow", NAME));
        } else if (home != null && home.startsWith("/")) {
            places.add(Path.of(home, ".config", "gpuflow", NAME));
        }
        places.add(Path.of("/etc/gpuflow", NAME));
        return places;
    }
}
