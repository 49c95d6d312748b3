package io.gpuflow.report;

import static io.gpuflow.report.ResultShape.FLAG;
import static io.gpuflow.report.ResultShape.NUMBER;
import static io.gpuflow.report.ResultShape.TEXT;
import static io.gpuflow.report.ResultShape.TEXTS;
import static io.gpuflow.report.ResultShape.WHOLE;
import static io.gpuflow.report.ResultShape.listOf;
import static io.gpuflow.report.ResultShape.mapOf;
import static io.gpuflow.report.ResultShape.oneOf;
import static io.gpuflow.report.ResultShape.orNull;

import java.util.List;
import java.util.Map;

/** JSON Schemas of what {@code run --json} and {@code diagnose --json} print. */
public final class ResultSchemas {
    /** Variables that are set; a null value unsets one. */
    private static final Map<String, Object> ENV = mapOf(orNull(TEXT));

    private static final Map<String, Object> ANY = Map.of();

    private ResultSchemas() {}

    /** Of {@code run --json} and {@code report --format json}. */
    public static Map<String, Object> run() {
        return new ResultShape()
                .key("gpuflow", Map.of("const", 1), "version of this format")
                .key("version", TEXT, "of gpuflow")
                .key("workflow", TEXT, "file as it was named")
                .key("machine", TEXT, "this machine, or the recording's name")
                .key("replay", FLAG, "true when no tool was run: all answers are recorded ones")
                .key("dry_run", FLAG, "true when only steps that read were run")
                .key("run", orNull(TEXT), "folder of the run's record; null after a dry run")
                .key("started", orNull(TEXT), "when the run first began, ISO 8601 in UTC")
                .key("seconds", NUMBER, "how long it took")
                .key("exit", orNull(WHOLE), "exit code; null when it was interrupted or died")
                .key("interrupted", FLAG, "by Ctrl-C or a signal")
                .key("headline", TEXT, "what it came to, in one sentence")
                .key("steps", listOf(step()), "in the order of the file")
                .key("findings", listOf(finding()), "causes first, worst first")
                .key("unknown", listOf(untold()), "checks that could not be told, and why")
                .key("advice", listOf(advice()), "experiments that no step declares")
                .key("notes", TEXTS, "what else should be known")
                .key("next", orNull(TEXT), "the one thing to do now")
                .mayHave("policy", policy(), "when a site policy was in force")
                .schema();
    }

    /** Of {@code diagnose --json}. */
    public static Map<String, Object> diagnose() {
        return new ResultShape()
                .key("gpuflow", Map.of("const", 1), "version of this format")
                .key("verdict", oneOf("fault", "healthy", "unknown"), "what it came to")
                .mayHave("note", TEXT, "why it is unknown, and what to look at next")
                .key("findings", listOf(finding()), "causes first, best first")
                .mayHave("timeline", timeline(), "with --timeline: who said what when")
                .mayHave(
                        "jobs",
                        listOf(
                                new ResultShape()
                                        .key("job", TEXT, "folder or file that tells it apart")
                                        .key("verdict", oneOf("fault", "healthy", "unknown"), "")
                                        .key("note", orNull(TEXT), "why it is unknown")
                                        .mayHave("timeline", timeline(), "with --timeline")
                                        .schema()),
                        "when what was read is of several jobs, each judged by itself")
                .mayHave("redacted", FLAG, "true when private things were replaced")
                .key(
                        "unread",
                        listOf(
                                new ResultShape()
                                        .key("file", TEXT, "")
                                        .key("why", TEXT, "why it could not be read")
                                        .schema()),
                        "what could not be read")
                .mayHave("policy", policy(), "when a site policy was in force")
                .schema();
    }

    private static Map<String, Object> timeline() {
        Map<String, Object> event =
                new ResultShape()
                        .key("time", orNull(NUMBER), "seconds since the epoch, as the log bears it")
                        .key("host", orNull(TEXT), "")
                        .key("what", TEXT, "id of the signature")
                        .key("file", TEXT, "")
                        .key("line", orNull(WHOLE), "")
                        .key("text", orNull(TEXT), "")
                        .schema();
        return new ResultShape()
                .key("timed", FLAG, "false when no line bears a time: the order is the logs'")
                .key(
                        "rows",
                        listOf(
                                new ResultShape()
                                        .key("rank", orNull(WHOLE), "")
                                        .key("host", orNull(TEXT), "when the rank is not known")
                                        .key("events", listOf(event), "")
                                        .schema()),
                        "one a rank or host")
                .schema();
    }

    private static Map<String, Object> step() {
        return new ResultShape()
                .key("id", TEXT, "")
                .key(
                        "state",
                        TEXT,
                        "passed, warned, failed, broken, skipped, blocked, reused, unknown,"
                                + " interrupted, running, not begun; after a dry run what it would"
                                + " do")
                .key("reason", TEXT, "why it is in this state, with the values")
                .key("seconds", NUMBER, "")
                .mayHave("argv", TEXTS, "in a dry run the command, where it is known")
                .key("attempts", listOf(attempt()), "in the order in which they were made")
                .key("experiments", listOf(experiment()), "what was tried, and what came of it")
                .key(
                        "out",
                        Map.of("type", List.of("object", "array")),
                        "its outputs; a list with a matrix, an item for each point")
                .schema();
    }

    private static Map<String, Object> attempt() {
        return new ResultShape()
                .key("attempt", WHOLE, "number, from 1")
                .key("matrix", mapOf(ANY), "coordinates; empty without a matrix")
                .key("experiment", orNull(TEXT), "the experiment that it belongs to")
                .key("changed", FLAG, "false when an experiment ran the step as it stands")
                .key("state", orNull(TEXT), "null when it did not end")
                .key("reason", TEXT, "")
                .key("seconds", NUMBER, "")
                .key("folder", TEXT, "what it left, below the run's folder")
                .schema();
    }

    private static Map<String, Object> experiment() {
        return new ResultShape()
                .key("name", TEXT, "")
                .key(
                        "outcome",
                        oneOf("confirmed", "refuted", "inconclusive", "not tried"),
                        "whether the change helped")
                .key("before", orNull(NUMBER), "result without the change")
                .key("after", orNull(NUMBER), "result with it")
                .key("unit", orNull(TEXT), "of both results")
                .key("env", ENV, "variables that were changed; null for one that was unset")
                .key("says", TEXT, "both results and the cost in one line")
                .schema();
    }

    private static Map<String, Object> finding() {
        return new ResultShape()
                .key("id", TEXT, "id of the rule")
                .key("cause", orNull(TEXT), "id of the cause, where it names one")
                .key(
                        "role",
                        oneOf("root", "contributing", "consequence", "info"),
                        "what it is to the failure")
                .key("level", oneOf("fail", "warn", "info"), "")
                .key("under", orNull(TEXT), "id of the finding that it follows from")
                .key("confidence", Map.of("type", "number", "minimum", 0, "maximum", 1), "")
                .key("ranks", listOf(WHOLE), "")
                .key("hosts", TEXTS, "")
                .key("says", TEXT, "what is so, in one line")
                .key("why", orNull(TEXT), "what it rests on and why it matters")
                .key("fix", listOf(fix()), "what to do")
                .key("evidence", listOf(evidence()), "where it was seen, best first")
                .key("rule", TEXT, "folder of the rule: area and id")
                .mayHave("job", TEXT, "the job it is about, when there are several")
                .schema();
    }

    private static Map<String, Object> fix() {
        return new ResultShape()
                .key(
                        "kind",
                        oneOf("test", "workaround", "fix"),
                        "a test tells whether it is so, a workaround helps at a price, a fix"
                                + " removes the cause")
                .key("who", orNull(TEXT), "user or admin")
                .key("text", TEXT, "")
                .key("env", ENV, "variables to set; null for one to unset")
                .key("cost", orNull(TEXT), "")
                .schema();
    }

    private static Map<String, Object> evidence() {
        return new ResultShape()
                .key("file", TEXT, "file, command or step")
                .key("line", orNull(WHOLE), "")
                .key("text", orNull(TEXT), "the line")
                .schema();
    }

    private static Map<String, Object> untold() {
        return new ResultShape()
                .key("rule", TEXT, "")
                .key("area", TEXT, "")
                .key(
                        "missing",
                        listOf(
                                new ResultShape()
                                        .key("what", TEXT, "type of the fact")
                                        .key("why", TEXT, "why it is not known")
                                        .schema()),
                        "facts that it rests on")
                .schema();
    }

    private static Map<String, Object> policy() {
        return new ResultShape()
                .key("files", listOf(texts("path", "sha256")), "that the policy was read from")
                .key("broken", listOf(texts("rule", "at", "why")), "own rules that can't be used")
                .key(
                        "suppressed",
                        listOf(texts("rule", "says", "because", "at")),
                        "findings that exceptions keep back")
                .key(
                        "vetoed",
                        listOf(texts("what", "advised_by", "by", "because")),
                        "advice that own rules forbid")
                .schema();
    }

    private static Map<String, Object> texts(String... keys) {
        ResultShape shape = new ResultShape();
        for (String key : keys) {
            shape.key(key, TEXT, "");
        }
        return shape.schema();
    }

    private static Map<String, Object> advice() {
        return new ResultShape()
                .key("rule", TEXT, "")
                .key("experiment", TEXT, "")
                .key("reason", TEXT, "")
                .schema();
    }
}
