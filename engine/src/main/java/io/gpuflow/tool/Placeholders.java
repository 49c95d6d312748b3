package io.gpuflow.tool;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes {@code {folder}} for the folder of a call and {@code {home}} for where gpuflow is
 * installed, so that a recorded command is the same command in another run and on another machine.
 */
final class Placeholders {
    private record Place(Pattern path, String name) {}

    private final List<Place> places = new ArrayList<>();

    private Placeholders(Path folder, String home) {
        // The folder first: it may lie below home.
        add(folder, "{folder}");
        add(home == null ? null : Path.of(home), "{home}");
    }

    static Placeholders of(ToolCall call) {
        return new Placeholders(call.folder(), System.getProperty("gpuflow.home"));
    }

    private void add(Path path, String name) {
        if (path != null && path.isAbsolute() && path.getNameCount() > 0) {
            // Whole names only: /runs/1 is not the beginning of /runs/12.
            String whole = "(?<![\\w.-])" + Pattern.quote(path.toString()) + "(?![\\w.-])";
            places.add(new Place(Pattern.compile(whole), name));
        }
    }

    String put(String text) {
        String with = text;
        for (Place place : places) {
            with = place.path().matcher(with).replaceAll(Matcher.quoteReplacement(place.name()));
        }
        return with;
    }

    List<String> put(List<String> texts) {
        return texts.stream().map(this::put).toList();
    }
}
