package io.gpuflow.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What must be the same for a recorded command to be the answer to a call. */
record Question(List<String> argv, Map<String, String> env) {
    /** Variables on which no answer depends, so that a person need not write them. */
    private static final List<String> LOCALE = List.of("LC_ALL", "LANG", "LANGUAGE");

    static Question of(ToolCall call, Collection<String> secrets) {
        Placeholders places = Placeholders.of(call);
        return of(
                CallFile.storedArgv(call, places, secrets),
                CallFile.storedEnv(call, places, secrets));
    }

    static Question of(List<String> argv, Map<String, String> env) {
        List<String> same = new ArrayList<>(argv);
        if (!same.isEmpty()) {
            same.set(0, CallFolder.baseName(same.get(0)));
        }
        Map<String, String> counting = new TreeMap<>(env);
        counting.keySet().removeAll(LOCALE);
        return new Question(same, counting);
    }

    /** As a person would type it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        env.forEach(
                (name, value) ->
                        text.append(value == null ? "-u " + name : name + "=" + value).append(' '));
        return text.append(String.join(" ", argv)).toString();
    }
}
