package io.gpuflow.parse;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers with units as tools print them; anything else ("N/A", "[Unknown Error]") is null. */
final class Quantity {
    // 143771 MiB | 76.99 W | 16x | -8 C | 0 | 32.0 GT/s PCIe
    private static final Pattern NUMBER = Pattern.compile("(-?\\d{1,18}(?:\\.\\d{1,9})?)\\s*(.*)");

    private Quantity() {}

    static Double number(String text) {
        Matcher m = matcher(text);
        return m == null ? null : Double.valueOf(m.group(1));
    }

    /** The number without its fraction, or null when it does not fit an int. */
    static Integer whole(String text) {
        Double value = number(text);
        return value == null || Math.abs(value) > Integer.MAX_VALUE ? null : value.intValue();
    }

    static Long count(String text) {
        Double value = number(text);
        return value == null ? null : value.longValue();
    }

    /** Bytes; B, KB/KiB … TB/TiB are powers of 1024, as nvidia-smi and amd-smi mean them. */
    static Long bytes(String text) {
        Matcher m = matcher(text);
        if (m == null) {
            return null;
        }
        long unit =
                switch (m.group(2).trim().toUpperCase(Locale.ROOT)) {
                    case "", "B", "BYTES" -> 1L;
                    case "K", "KB", "KIB" -> 1L << 10;
                    case "M", "MB", "MIB" -> 1L << 20;
                    case "G", "GB", "GIB" -> 1L << 30;
                    case "T", "TB", "TIB" -> 1L << 40;
                    default -> 0L;
                };
        double value = Double.parseDouble(m.group(1)) * unit;
        return unit == 0 || value > Long.MAX_VALUE ? null : (long) value;
    }

    /** PCI Express generation of a rate in GT/s, or null when it is none of the standard's. */
    static Integer pcieGeneration(Double gigatransfers) {
        if (gigatransfers == null) {
            return null;
        }
        return switch ((int) (gigatransfers * 10)) {
            case 25 -> 1;
            case 50 -> 2;
            case 80 -> 3;
            case 160 -> 4;
            case 320 -> 5;
            case 640 -> 6;
            default -> null;
        };
    }

    /** True and false for the words tools use for them, null for the rest. */
    static Boolean flag(String text) {
        if (text == null) {
            return null;
        }
        return switch (text.trim().toLowerCase(Locale.ROOT)) {
            case "yes", "enabled", "on", "true", "active", "1" -> true;
            case "no", "disabled", "off", "false", "not active", "0" -> false;
            default -> null;
        };
    }

    /** The text, or null when it is how a tool says that it has no value. */
    static String word(String text) {
        if (text == null) {
            return null;
        }
        String trimmed = text.trim();
        boolean none =
                trimmed.isEmpty()
                        || trimmed.equalsIgnoreCase("N/A")
                        || trimmed.equals("[N/A]")
                        || trimmed.startsWith("[Unknown")
                        || trimmed.startsWith("[Not Supported")
                        || trimmed.equals("Unknown Error");
        return none ? null : trimmed;
    }

    private static Matcher matcher(String text) {
        if (text == null) {
            return null;
        }
        Matcher m = NUMBER.matcher(text.trim());
        return m.matches() ? m : null;
    }
}
