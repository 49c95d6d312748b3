package io.gpuflow.report;

import java.util.Locale;

/** Times as people read them at a glance: 0.8 s, 12 s, 3 m 05 s, 1 h 02 m. */
public final class Elapsed {
    private Elapsed() {}

    public static String of(double seconds) {
        if (seconds < 9.95) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        long whole = Math.round(seconds);
        if (whole < 100) {
            return whole + " s";
        }
        if (whole < 3600) {
            return String.format(Locale.ROOT, "%d m %02d s", whole / 60, whole % 60);
        }
        return String.format(Locale.ROOT, "%d h %02d m", whole / 3600, whole / 60 % 60);
    }
}
