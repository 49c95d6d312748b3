package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import java.util.List;
import java.util.Map;

/** What a parser understood of one text. */
public interface Report {
    /**
     * What went wrong, in the tool's words or ours ("no GPU table found"); null when the text was
     * understood.
     */
    String error();

    /** Lines that were not understood, as they stood. Never dropped. */
    List<String> unparsed();

    /**
     * The keys of {@code facts --json}, in the order to print: strings, numbers, booleans, lists
     * and maps. A key that does not apply is absent; one that could not be read is null. Unless a
     * report says otherwise, they are the components of its record.
     */
    default Map<String, Object> values() {
        return RecordValues.of((Record) this);
    }

    /**
     * The facts for the rules.
     *
     * @param sourceName file name or command, for evidence
     */
    List<Observed> facts(String sourceName);
}
