package io.gpuflow.flow;

import java.util.Locale;

/**
 * What an experiment showed: the step as it stands, with one thing changed, and as it stands again.
 *
 * @param outcome confirmed, refuted or inconclusive
 * @param before result without the change; the better one of two
 * @param after result with it
 */
record Comparison(String outcome, Double before, Double after, String unit, String says) {
    static final String CONFIRMED = "confirmed";
    static final String REFUTED = "refuted";
    static final String INCONCLUSIVE = "inconclusive";

    /**
     * A gain below this is not worth a setting. Repeated nccl-tests runs on an idle NVSwitch
     * machine differ by less than 2 %.
     */
    static final double MIN_GAIN = 0.05;

    /**
     * Compares.
     *
     * @param change the change in words: {@code NCCL_P2P_DISABLE=1}
     * @param again the step as it stands, repeated after the change; null when the budget ended
     * @param reference what the links allow or healthy machines reach, or null
     */
    static Comparison of(
            String change,
            Measurement before,
            Measurement changed,
            Measurement again,
            Double reference) {
        Double best = better(before, again);
        String unit = changed.unit() != null ? changed.unit() : before.unit();
        if (changed.works() == null || before.works() == null) {
            Measurement silent = changed.works() == null ? changed : before;
            String says = "with " + change + " it can't be told: " + silent.reason();
            return new Comparison(INCONCLUSIVE, best, changed.value(), unit, says);
        }
        if (!before.works()) {
            return cure(change, before, changed, again, reference, unit);
        }
        if (!changed.works()) {
            String says = "with " + change + " it does not work at all: " + changed.reason();
            return new Comparison(REFUTED, best, null, unit, says);
        }
        return gain(change, before, changed, again, unit);
    }

    private static Comparison cure(
            String change,
            Measurement before,
            Measurement changed,
            Measurement again,
            Double reference,
            String unit) {
        String asItStands = "as it stands: " + before.reason();
        if (!changed.works()) {
            String says = "with " + change + " it fails too: " + changed.reason();
            return new Comparison(REFUTED, null, null, unit, says);
        }
        String works = "works with " + change + at(changed, reference);
        if (again == null) {
            String says = works + "; " + asItStands + " (tried once: the budget is used up)";
            return new Comparison(CONFIRMED, null, changed.value(), unit, says);
        }
        if (again.works() == null) {
            String says = works + "; repeating it as it stands could not tell: " + again.reason();
            return new Comparison(INCONCLUSIVE, null, changed.value(), unit, says);
        }
        if (again.works()) {
            String says = works + ", but it then worked without it too: the fault comes and goes";
            return new Comparison(INCONCLUSIVE, again.value(), changed.value(), unit, says);
        }
        String says = works + "; " + asItStands + ", twice";
        return new Comparison(CONFIRMED, null, changed.value(), unit, says);
    }

    private static Comparison gain(
            String change,
            Measurement before,
            Measurement changed,
            Measurement again,
            String unit) {
        Double best = better(before, again);
        if (best == null
                || best <= 0
                || changed.value() == null
                || !Measurement.BANDWIDTH.equals(unit)) {
            String says = "it works with " + change + " and without: nothing to compare";
            return new Comparison(INCONCLUSIVE, best, changed.value(), unit, says);
        }
        boolean repeated = again != null && again.value() != null;
        if (again != null && Boolean.FALSE.equals(again.works())) {
            String says =
                    number(changed)
                            + " with "
                            + change
                            + ", but as it stands it failed the second"
                            + " time: "
                            + again.reason();
            return new Comparison(INCONCLUSIVE, best, changed.value(), unit, says);
        }
        double spread = repeated ? Math.abs(before.value() - again.value()) / best : 0;
        double gain = changed.value() / best - 1;
        String without =
                repeated
                        ? round(before.value()) + " and " + round(again.value()) + " " + unit
                        : number(before);
        String says = number(changed) + " with " + change + ", " + without + " without";
        if (gain >= Math.max(MIN_GAIN, 2 * spread)) {
            return new Comparison(CONFIRMED, best, changed.value(), unit, says);
        }
        if (spread > MIN_GAIN) {
            says += ": the results scatter too much to tell";
            return new Comparison(INCONCLUSIVE, best, changed.value(), unit, says);
        }
        return new Comparison(REFUTED, best, changed.value(), unit, says);
    }

    private static Double better(Measurement before, Measurement again) {
        Double a = before.value();
        Double b = again == null ? null : again.value();
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return Math.max(a, b);
    }

    private static String at(Measurement changed, Double reference) {
        if (changed.value() == null) {
            return "";
        }
        if (!Measurement.BANDWIDTH.equals(changed.unit())) {
            return " in " + number(changed);
        }
        return reference == null
                ? ", at " + number(changed)
                : ", at " + round(changed.value()) + " of " + round(reference) + " GB/s";
    }

    private static String number(Measurement measured) {
        return round(measured.value()) + " " + measured.unit();
    }

    /** Three significant digits are more than a benchmark repeats. */
    static String round(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
        String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }
}
