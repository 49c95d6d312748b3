package io.gpuflow.scan;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells prose, markup and source code from logs: what they quote has not happened. Each format is
 * known by what it demands of most of its lines; a text with more than a few lines of a log is a
 * log, whatever surrounds them.
 */
public final class Document {
    /** No more of a text than this many bytes is looked at. */
    static final int MOST = 1 << 16;

    private static final int LONGEST_LINE = 400;

    /** Fewer lines are an excerpt of something, and no document. */
    private static final int LEAST_LINES = 8;

    private static final int LEAST_LINES_OF_PROSE = 20;
    private static final double MOST_LOG = 0.16;
    private static final double MOST_LOG_AT_FIRST = 0.4;
    private static final double LEAST_MARKUP = 0.4;
    private static final double LEAST_CODE = 0.3;
    private static final double LEAST_PROSE = 0.5;
    private static final int WORDS_OF_A_SENTENCE = 6;
    private static final double PLAIN_WORDS = 0.7;
    private static final int WORDS_FOR_A_SMALL_ONE = 8;

    private static final Pattern LOG =
            Pattern.compile(
                    "Traceback \\(most recent|^\\s*File \"[^\"]+\", line \\d|NCCL (?:INFO|WARN|version)"
                            + "|^\\s*\\d{1,3}%\\||\\[Errno \\d|NVRM: |^frame #\\d|^#\\d+ +0x"
                            + "|^\\s*\\d+\\s+\\d+\\s+(?:float|half|u?int|double|bfloat)\\w*\\s"
                            + "|^#\\s+Rank\\s+\\d+ |^[\\w.]*(?:Error|Exception)(?:: |$)");

    private static final Pattern HEADING = Pattern.compile("#{1,6} +[A-Za-z0-9`*\\[].*");
    private static final Pattern MARKUP =
            Pattern.compile(
                    "\\s*(?:```|~~~).*|\\s*\\|.*\\|\\s*|\\s*(?:[-*+]|\\d+[.)]) +\\S.*"
                            + "|.*\\]\\((?:https?:|[\\w./#-]+\\)).*|\\s*<!--.*");

    private static final Pattern CODE =
            Pattern.compile(
                    "\\s*(?:#(?:include|define|if|ifn?def|endif|pragma)\\b.*|//.*|/\\*.*|\\*/|\\* .*|@\\w+\\S*"
                            + "|import [\\w.*{}, ]+;?|from [\\w.]+ import .*|package [\\w.]+;"
                            + "|(?:async )?def \\w+\\(.*|class \\w+.*[:{]|return\\b.*|raise \\w+.*"
                            + "|(?:if|for|while|elif|with|switch|catch)\\b.*[:{]"
                            + "|(?:else|try|finally|except.*) ?[:{]|.*;\\s*(?://.*)?|[^\"{\\[].*\\) .*\\{"
                            + "|(?:fi|done|esac|then)|<!DOCTYPE html.*)");

    /** No log begins so, and none but a program does. */
    private static final Pattern BEGIN =
            Pattern.compile(
                    "package [\\w.]+;|#include [<\"]|#pragma once|import [\\w.]+(?: as \\w+)?\\R"
                            + "|from [\\w.]+ import |<!DOCTYPE html");

    private static final String SOURCE = "is source code, no log";
    private static final Pattern LIST_MARK = Pattern.compile("^\\s*(?:[-*+#/>|]+|\\d+[.)]) +");
    private static final Pattern PLAIN =
            Pattern.compile("[(\"'`*_]*[A-Za-z][A-Za-z'\u2019-]*[)\"'`*_.,;:!?]*");

    private static final Set<String> SMALL_WORDS =
            Set.of(
                    "the", "a", "an", "of", "is", "are", "to", "and", "or", "in", "that", "it",
                    "as", "for", "with", "not", "be", "which", "by", "on", "from", "this", "has",
                    "have", "but", "if", "when", "you", "we");

    /** Open MPI and Slurm put their long messages between such lines. */
    private static final Pattern RULE = Pattern.compile("\\s*[-=*_]{20,}\\s*");

    private int lines;
    private int log;
    private int rules;
    private int headings;
    private int markup;
    private int code;
    private int prose;

    private Document(String text) {
        List<String> all = text.lines().toList();
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).isBlank()) {
                take(all, i);
            }
        }
    }

    /**
     * @param head the beginning of a text
     * @return what it is instead of a log, or null when it may be one
     */
    public static String kind(String head) {
        Document d = new Document(head);
        String begin = head.stripLeading();
        boolean source = BEGIN.matcher(begin).lookingAt() && d.lines >= LEAST_LINES;
        return source && d.log <= MOST_LOG_AT_FIRST * d.lines
                ? SOURCE
                : d.kind(head.startsWith("#!"));
    }

    /** False when its first lines alone show that it is a log: a quick look. */
    static boolean possible(String head) {
        Document d = new Document(head);
        return d.log <= MOST_LOG_AT_FIRST * d.lines;
    }

    private String kind(boolean script) {
        if (lines < LEAST_LINES || log > MOST_LOG * lines) {
            return null;
        }
        if (headings > 0
                && prose + markup + headings >= LEAST_MARKUP * lines
                && markup + prose > 2) {
            return "is a document, no log";
        }
        if (script || code >= LEAST_CODE * lines) {
            return SOURCE;
        }
        boolean text = lines >= LEAST_LINES_OF_PROSE && prose >= LEAST_PROSE * lines && rules == 0;
        return text ? "is prose, no log" : null;
    }

    private void take(List<String> all, int i) {
        String whole = all.get(i);
        String line = whole.substring(0, Math.min(whole.length(), LONGEST_LINE));
        lines++;
        rules += RULE.matcher(line).matches() ? 1 : 0;
        if (ofALog(line) || i > 0 && all.get(i - 1).strip().startsWith("File \"")) {
            log++;
        } else if (HEADING.matcher(line).matches() && alone(all, i)) {
            headings++;
        } else if (sentence(line)) {
            prose++;
        } else if (MARKUP.matcher(line).matches()) {
            markup++;
        } else if (CODE.matcher(line).matches()) {
            code++;
        }
    }

    /** A heading stands apart; the comments in a tool's table don't. */
    private static boolean alone(List<String> all, int i) {
        return i == 0 || all.get(i - 1).isBlank() || i + 1 < all.size() && all.get(i + 1).isBlank();
    }

    private static boolean ofALog(String line) {
        Prefix p = Prefix.of(line, 2000);
        boolean prefixed =
                p.time != null
                        || p.uptime != null
                        || p.pid != null
                        || p.mild
                        || p.rank != null && !p.rankInMessage;
        return prefixed || LOG.matcher(line).find();
    }

    /** A line of running text: mostly plain words, with those small ones that join them. */
    static boolean sentence(String line) {
        String[] words = LIST_MARK.matcher(line).replaceFirst("").strip().split("\\s+");
        if (words.length < WORDS_OF_A_SENTENCE) {
            return false;
        }
        int plain = 0;
        int small = 0;
        for (String word : words) {
            plain += PLAIN.matcher(word).matches() ? 1 : 0;
            small += SMALL_WORDS.contains(word.toLowerCase(java.util.Locale.ROOT)) ? 1 : 0;
        }
        return plain >= PLAIN_WORDS * words.length
                && small >= Math.max(2, words.length / WORDS_FOR_A_SMALL_ONE);
    }
}
