package io.gpuflow.scan;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line that shows work going on: a step, a progress bar, a phase.
 *
 * @param stage preprocess, download, checkpoint, evaluate, load or train
 * @param text the line, shortened
 * @param barSeconds how long the progress bar had run, or null without a bar
 * @param barDone share of the bar, 0 to 1, or null
 * @param step number of the step or iteration, or null
 * @param line its line in the file, or 0
 */
record Progress(
        String stage, String text, Double barSeconds, Double barDone, Long step, long line) {
    private static final int SHOWN = 160;

    private static final Pattern BAR =
            Pattern.compile(
                    "(?<pct>\\d{1,3})%\\|.{0,400}?(?<n>[\\d.,]+)[kMGT]?/(?<of>[\\d.,]+)[kMGT]?i?B?"
                            + " \\[(?<t>(?:\\d+:)?\\d+:\\d\\d)<(?<left>[\\d:?]+)");

    private static final Map<String, Pattern> STAGES =
            Map.of(
                    "preprocess",
                    Pattern.compile(
                            "(?i)tokeniz|pre-?process|\\bmap(?: \\(num_proc=\\d+\\))?:"
                                    + "|\\bfilter(?: \\(num_proc=\\d+\\))?:|grouping texts"
                                    + "|converting format|(?:building|creating|generating) .{0,30}"
                                    + "(?:index|dataset|split|vocab|cache|mask|features?)"
                                    + "|caching|\\bpacking\\b|indexing|shuffl|loading (?:the )?dataset"
                                    + "|concatenat|extracting (?:features|audio|frames)"),
                    "download",
                    Pattern.compile("(?i)\\bdownload|fetching \\d+ files|resolving data files"),
                    "checkpoint",
                    Pattern.compile(
                            "(?i)\\bsav(?:e|ing)\\b.{0,60}?(?:checkpoint|ckpt|model|weights|state"
                                    + "|optimizer|shard|snapshot|\\bto\\b)|checkpoint(?:ing| sav)"
                                    + "|(?:writ|dump|export|merg|consolidat)ing .{0,40}"
                                    + "(?:checkpoint|ckpt|model|weights|state|shards?)"),
                    "evaluate",
                    Pattern.compile(
                            "(?i)\\b(?:evaluat|validat)(?:e|ing|ion)\\b(?!: \\d)|\\beval\\b|predicting"
                                    + "|running (?:inference|generation)|\\bgenerating (?:samples|"
                                    + "images|predictions)"),
                    "load",
                    Pattern.compile(
                            "(?i)loading (?:checkpoint|weights|model|pretrained|safetensors|pt)"),
                    "train",
                    Pattern.compile(
                            "(?i)application startup complete|uvicorn running on|avg prompt throughput"
                                    + "|HTTP/1\\.1\" 200|the server is fired up"
                                    + "|training (?:is )?(?:completed?|finished|done)|is successful!"
                                    + "|\\b(?:step|iter(?:ation)?|epoch|batch|global_step)s?\\b[\\s:=#\\[(|'\"]*"
                                    + "\\d|\\b(?:it/s|s/it|tokens/s|toks/s|samples/s)"
                                    + "|'?\\bloss'?\\s*[:=]"));

    /** Narrow phases win over the words of training, which appear in most lines. */
    private static final List<String> ORDER =
            List.of("checkpoint", "preprocess", "download", "evaluate", "load", "train");

    /** A line that tells of trouble shows no work, whatever number of a step it names. */
    private static final Pattern TROUBLE =
            Pattern.compile(
                    "(?i)\\b(?:error|exception|traceback|cancell?ed|abort\\w*|terminat\\w*|killed|fatal"
                            + "|timed out|crashed)\\b(?!\\s*[=|]|\\s*:\\s*[\\d.])");

    private static final Pattern STEP =
            Pattern.compile(
                    "(?i)\\b(?:step|iter(?:ation)?|global_step)s?\\b[\\s:=#\\[(|'\"]*(?<n>\\d{1,12})");

    /** The same, so many lines further down. */
    Progress later(long lines) {
        return new Progress(stage, text, barSeconds, barDone, step, line + lines);
    }

    /** What the line shows, or null. */
    static Progress of(String line, long number) {
        Matcher bar = BAR.matcher(line);
        boolean hasBar = bar.find();
        String words = hasBar ? line.substring(0, bar.start()) : line;
        String stage = null;
        for (String s : ORDER) {
            if (STAGES.get(s).matcher(words).find()) {
                stage = s;
                break;
            }
        }
        if (!hasBar && TROUBLE.matcher(line).find()) {
            return null;
        }
        if (stage == null && !hasBar) {
            return null;
        }
        if (stage == null) {
            stage = STAGES.get("train").matcher(line).find() ? "train" : "bar";
        }
        Double seconds = hasBar ? seconds(bar.group("t")) : null;
        Double done = hasBar ? Integer.parseInt(bar.group("pct")) / 100.0 : null;
        Matcher step = STEP.matcher(line);
        Long at = step.find() ? Long.valueOf(step.group("n")) : null;
        String text = line.strip();
        return new Progress(
                stage,
                text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…",
                seconds,
                done,
                at,
                number);
    }

    private static double seconds(String clock) {
        double total = 0;
        for (String part : clock.split(":")) {
            total = total * 60 + Integer.parseInt(part);
        }
        return total;
    }
}
