package io.gpuflow.rules;

/**
 * The Java package of a compiled rule. Each has one of its own, and so is a model of its own that
 * is loaded only when the facts may fire it; in rule.drl the package is the area's.
 */
public final class RulePackage {
    private RulePackage() {}

    /** The package as rule.drl names it. */
    public static String ofArea(String area) {
        return "gpuflow.rules." + area;
    }

    /** A name of letters, for ids may begin with a digit or be a word of Java. */
    public static String of(String area, String id) {
        return ofArea(area) + ".r_" + id.replace('-', '_');
    }
}
