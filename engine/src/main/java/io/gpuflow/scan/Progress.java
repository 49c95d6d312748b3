package io.gpuflow.scan;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line that shows work going on: a step, a progress bar, a phase.
 *
 * @param stage preprocess, download, checkpoint, evaluate, load, train or bar
 * @param text the line, shortened
 * @param barSeconds how long the progress bar had run, or null without a bar
 * @param barDone share of the bar, 0 to 1, or null
 * @param step number of the step or iteration, or null
 * @param epoch number of the epoch, or null
 * @param time when it was printed, seconds since the epoch, or null
 * @param line its line in the file, or 0
 */
record Progress(
        String stage,
        String text,
        Double barSeconds,
        Double barDone,
        Long step,
        Long epoch,
        Double time,
        long line) {
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
                                    + "|(?:Decode|Prefill) batch\\b|gen throughput"
                                    + "|^\\s*\\d+\\s+\\d+\\s+(?:float|half|u?int|double|bfloat)\\w*\\s.*\\d"
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

    /** Says at which step work will begin, or how many there will be: none was done. */
    private static final Pattern ANNOUNCED =
            Pattern.compile(
                    "(?i)\\b(?:(?:start|resum|continu|begin)\\w* (?:training )?(?:at|from|with) "
                            + "|(?:every|total|max\\w*|num\\w*|for)[ _:=]{0,2}(?:\\d+ )?)(?:the )?(?:global[_ ])?"
                            + "(?:step|epoch|iter(?:ation)?)s?\\b");

    /** A line of a program, as tracebacks quote it: a call, an assignment, a statement. */
    private static final Pattern CODE =
            Pattern.compile(
                    "\\w\\(|\\w\\.\\w+\\b *=|[^=!<>]= ?[A-Za-z_]|^ +(?:return|raise|yield|await) |: *$");

    private static final Pattern EPOCH =
            Pattern.compile("(?i)\\bepoch\\b[\\s:=#\\[(|'\"]*(?<n>\\d{1,9})");

    private static final Set<String> BEFORE_WORK = Set.of("load", "download", "preprocess");

    /** The same, so many lines further down. */
    Progress later(long lines) {
        return new Progress(stage, text, barSeconds, barDone, step, epoch, time, line + lines);
    }

    /** What is loaded or prepared comes before the work. */
    boolean work() {
        return !BEFORE_WORK.contains(stage);
    }

    /** True when this shows that the work had got further, or was done later, than that. */
    boolean beyond(Progress that) {
        if (time != null && that.time != null && !time.equals(that.time)) {
            return time > that.time;
        }
        if (barSeconds != null && that.barSeconds != null) {
            return barSeconds > that.barSeconds;
        }
        if (epoch != null && that.epoch != null && !epoch.equals(that.epoch)) {
            return epoch > that.epoch;
        }
        return step != null && that.step != null && step > that.step;
    }

    /** What a line with its prefix shows, or null; code in a traceback shows nothing. */
    static Progress in(Prefix prefix, long number) {
        boolean indented = prefix.body.startsWith("    ");
        boolean code =
                prefix.body.contains("File \"") || indented && CODE.matcher(prefix.body).find();
        return code ? null : of(prefix.body, prefix.time, number);
    }

    static Progress in(String line, int year, long number) {
        return in(Prefix.of(line, year), number);
    }

    private static Progress of(String line, Double time, long number) {
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
        boolean train = !hasBar && stage.equals("train");
        boolean told =
                train
                        && (ANNOUNCED.matcher(line).find()
                                || time == null && Document.sentence(line));
        if (told) {
            return null;
        }
        String text = line.strip();
        return new Progress(
                stage,
                text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…",
                seconds,
                done,
                number(STEP, line),
                number(EPOCH, line),
                time,
                number);
    }

    private static Long number(Pattern pattern, String line) {
        Matcher m = pattern.matcher(line);
        return m.find() ? Long.valueOf(m.group("n")) : null;
    }

    private static double seconds(String clock) {
        double total = 0;
        for (String part : clock.split(":")) {
            total = total * 60 + Integer.parseInt(part);
        }
        return total;
    }
}
