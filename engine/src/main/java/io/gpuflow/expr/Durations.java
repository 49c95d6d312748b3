package io.gpuflow.expr;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as text: {@code 90s}, {@code 1h30m}, {@code 500ms}, {@code 1.5h}. */
public final class Durations {
    private static final Pattern PART =
            Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(h|ms|us|ns|m|s)");
    private static final int LONGEST_TEXT = 64;

    private Durations() {}

    /** The duration, or null when the text is none. A number alone has no unit, so it is none. */
    public static Duration parse(String text) {
        boolean negative = text.startsWith("-");
        String rest = negative ? text.substring(1) : text;
        if (rest.equals("0")) {
            return Duration.ZERO;
        }
        if (rest.isEmpty() || rest.length() > LONGEST_TEXT) {
            return null;
        }
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(rest);
        int at = 0;
        while (at < rest.length()) {
            part.region(at, rest.length());
            if (!part.lookingAt()) {
                return null;
            }
            BigDecimal nanos = new BigDecimal(part.group(1)).multiply(unit(part.group(2)));
            if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
                return null;
            }
            sum = sum.plusNanos(nanos.longValue());
            at = part.end();
        }
        return negative ? sum.negated() : sum;
    }

    private static BigDecimal unit(String unit) {
        return BigDecimal.valueOf(
                switch (unit) {
                    case "h" -> 3_600_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "ms" -> 1_000_000L;
                    case "us" -> 1_000L;
                    default -> 1L;
                });
    }

    /** The shortest usual form: {@code 20m}, {@code 1h30m}, {@code 1.5s}. */
    public static String print(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        StringBuilder text = new StringBuilder();
        if (duration.isNegative()) {
            text.append('-');
            duration = duration.negated();
        }
        long hours = duration.toHours();
        int minutes = duration.toMinutesPart();
        BigDecimal seconds =
                BigDecimal.valueOf(duration.toSecondsPart())
                        .add(BigDecimal.valueOf(duration.toNanosPart(), 9))
                        .stripTrailingZeros();
        if (hours > 0) {
            text.append(hours).append('h');
        }
        if (minutes > 0) {
            text.append(minutes).append('m');
        }
        if (seconds.signum() > 0) {
            text.append(seconds.toPlainString()).append('s');
        }
        return text.toString();
    }
}
