package io.gpuflow.report;

import java.util.Locale;

/** Numbers as a person reads them. */
final class Amount {
    private Amount() {}

    /** Bytes in the largest binary unit that leaves a number of at least 1: 140.4 GiB. */
    static String bytes(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        boolean whole = value == Math.rint(value);
        return String.format(Locale.ROOT, whole ? "%.0f %s" : "%.1f %s", value, units[unit]);
    }

    /** Without a fraction that says nothing: 400, 26.562. */
    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
