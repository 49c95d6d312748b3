package io.gpuflow.bundle;

import io.gpuflow.tool.Redaction;
import io.gpuflow.tool.Redactor;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a bundle says instead of a text: secrets masked, files of the run by their names in the
 * bundle, and what is private replaced by stable names, the same in the whole bundle.
 */
final class Clean {
    private static final int MOST_KNOWN = 50_000;

    private final Relocation relocation;
    private final List<String> secrets;
    private final Redactor redactor;

    /** Texts that come again and again: the frames of a dump, the keys of records. */
    private final Map<String, String> known = new HashMap<>();

    /**
     * @param secrets values that must not be in it, redacted or not
     * @param redactor null to leave what is private
     */
    Clean(Relocation relocation, Collection<String> secrets, Redactor redactor) {
        this.relocation = relocation;
        this.secrets = List.copyOf(secrets);
        this.redactor = redactor;
    }

    boolean redacts() {
        return redactor != null;
    }

    /** Takes note of the names in a text; called for all of them before the first is cleaned. */
    void learn(String text) {
        if (redactor != null) {
            redactor.learn(plain(text));
        }
    }

    /** Likewise for a field of a record. */
    void learn(String field, String text) {
        if (redactor != null) {
            redactor.learn(field, plain(text));
        }
    }

    String text(String text) {
        String plain = plain(text);
        return redactor == null ? plain : redactor.redact(plain);
    }

    /** The value of a field, whose name may tell what it is. */
    String text(String field, String text) {
        String plain = plain(text);
        return redactor == null ? plain : redactor.redact(field, plain);
    }

    /** Likewise for a short text that is likely to come again. */
    String again(String text) {
        String clean = known.get(text);
        if (clean == null) {
            clean = text(text);
            if (known.size() < MOST_KNOWN) {
                known.put(text, clean);
            }
        }
        return clean;
    }

    private String plain(String text) {
        return relocation.of(Redaction.masked(text, secrets));
    }
}
