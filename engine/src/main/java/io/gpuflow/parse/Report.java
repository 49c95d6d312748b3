package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import java.util.List;

/** What a parser understood of one text. */
public interface Report {
    /** The tool's own error, or ours ("no table found"); null when the text was understood. */
    String error();

    /** Lines that were not understood, as they stood. Never dropped. */
    List<String> unparsed();

    /**
     * The facts for the rules.
     *
     * @param sourceName file name or command, for evidence
     */
    List<Observed> facts(String sourceName);
}
