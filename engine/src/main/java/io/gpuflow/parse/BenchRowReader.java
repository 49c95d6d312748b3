package io.gpuflow.parse;

import io.gpuflow.parse.BenchTable.Cells;
import io.gpuflow.parse.BenchTable.Row;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a row into cells by words, not by places: launchers prefix it, pastes collapse its blanks,
 * wide numbers push it aside, and a cell of the reduction may be blank. A row that NCCL's own log
 * tore apart is put together again.
 */
final class BenchRowReader {
    /** Blanks that stand for a measurement out of place that was not made. */
    private static final int BLANK_CELLS = 28;

    private BenchColumns columns = BenchColumns.USUAL;
    private boolean onlyInPlace;

    private List<String> torn;
    private int tornLine;

    void columns(BenchColumns heading) {
        columns = heading;
        torn = null;
    }

    void onlyInPlace(boolean only) {
        onlyInPlace = only;
    }

    /**
     * The row that a line holds or ends, or null.
     *
     * @param line with NCCL's log cut off; {@code log} tells that there was some
     */
    Row read(String line, List<Token> tokens, int number, boolean log) {
        int start = start(tokens);
        if (start < 0) {
            return torn == null ? null : continued(tokens, number);
        }
        List<String> words = new ArrayList<>();
        for (Token token : tokens.subList(start, tokens.size())) {
            words.add(token.text());
        }
        Row row = row(words, blankFirst(line, tokens, start), number);
        torn = row == null && log ? words : null;
        tornLine = number;
        return row;
    }

    private Row continued(List<Token> tokens, int number) {
        List<String> words = new ArrayList<>(torn);
        for (Token token : tokens) {
            if (!isCell(token.text())) {
                return null;
            }
            words.add(token.text());
        }
        if (words.size() > torn.size()) {
            torn = words;
        }
        Row row = row(words, false, tornLine);
        if (row != null) {
            torn = null;
        }
        return row;
    }

    /** The first word of a row: size, count and type, whatever stands before. */
    private static int start(List<Token> tokens) {
        for (int i = 0; i + 2 < tokens.size() && i < 16; i++) {
            if (isCount(tokens.get(i).text())
                    && isCount(tokens.get(i + 1).text())
                    && CollectiveName.isType(tokens.get(i + 2).text())) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isCount(String word) {
        return Numbers.isInteger(word) && word.charAt(0) != '-';
    }

    private boolean blankFirst(String line, List<Token> tokens, int start) {
        for (int i = start + 3; i < tokens.size(); i++) {
            if (tokens.get(i).start() - tokens.get(i - 1).end() >= BLANK_CELLS) {
                return line.length() > tokens.get(i).start();
            }
        }
        return false;
    }

    private Row row(List<String> words, boolean blankFirst, int number) {
        int at = 3;
        String op = null;
        if (at < words.size() && !isCell(words.get(at))) {
            op = words.get(at++);
        }
        int cells = 0;
        while (at + cells < words.size() && isCell(words.get(at + cells))) {
            cells++;
        }
        int needed = columns.groups() * columns.width();
        if (blankFirst) {
            needed = columns.width();
        }
        Long root = null;
        if (columns.root() && cells > needed && Numbers.isInteger(words.get(at))) {
            root = Numbers.integer(words.get(at++));
            cells--;
        }
        Long bytes = Numbers.integer(words.get(0));
        Long count = Numbers.integer(words.get(1));
        if (cells < needed || bytes == null || count == null) {
            return null;
        }
        Cells first = cells(words, at);
        Cells second = needed > columns.width() ? cells(words, at + columns.width()) : null;
        boolean inPlaceFirst = second == null && (blankFirst || onlyInPlace);
        return new Row(
                bytes,
                count,
                words.get(2),
                op,
                root,
                inPlaceFirst ? null : first,
                inPlaceFirst ? first : second,
                number);
    }

    private Cells cells(List<String> words, int at) {
        Double time = Numbers.real(words.get(at));
        if (time != null && columns.milliseconds()) {
            time *= 1000;
        }
        Double algbw = Numbers.real(words.get(at + 1));
        Double busbw = Numbers.real(words.get(at + 2));
        Double wrong = columns.countsErrors() ? Numbers.real(bare(words.get(at + 3))) : null;
        return new Cells(
                time, algbw, busbw, wrong == null ? null : Long.valueOf(Math.round(wrong)));
    }

    /** rccl-tests marks an error beyond its limit with an asterisk. */
    private static String bare(String word) {
        return word.endsWith("*") ? word.substring(0, word.length() - 1) : word;
    }

    private static boolean isCell(String word) {
        return switch (word) {
            case "N/A", "nan", "-nan", "inf", "-inf", "?" -> true;
            default -> Numbers.real(bare(word)) != null;
        };
    }
}
