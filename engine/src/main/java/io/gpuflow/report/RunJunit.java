package io.gpuflow.report;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import java.io.OutputStream;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A run as JUnit XML: a test case for each step, each finding and each rule that could not be told.
 * What is unknown or did not run counts as skipped, never as passed.
 */
public final class RunJunit {
    private final XMLStreamWriter xml;

    private RunJunit(XMLStreamWriter xml) {
        this.xml = xml;
    }

    public static void print(RunReport run, OutputStream out) throws XMLStreamException {
        XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out, "UTF-8");
        new RunJunit(xml).run(run);
        xml.flush();
    }

    private void run(RunReport run) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        start("testsuites");
        suite("steps", run, run.steps().size(), failedSteps(run), broken(run), skipped(run));
        for (RunReport.StepLine step : run.steps()) {
            step(step);
        }
        end();
        long failed = run.verdicts().stream().filter(v -> v.level() == Verdict.Level.FAIL).count();
        int cases = run.verdicts().size() + run.untold().size();
        suite("findings", run, cases, failed, 0, run.untold().size());
        for (Verdict verdict : run.verdicts()) {
            verdict(verdict);
        }
        for (Judgement.Untold untold : run.untold()) {
            untold(untold);
        }
        end();
        end();
        xml.writeEndDocument();
        xml.writeCharacters("\n");
    }

    private void suite(
            String name, RunReport run, int tests, long failures, long errors, long skipped)
            throws XMLStreamException {
        start("testsuite");
        xml.writeAttribute("name", "gpuflow " + clean(run.workflow()) + " " + name);
        xml.writeAttribute("tests", Integer.toString(tests));
        xml.writeAttribute("failures", Long.toString(failures));
        xml.writeAttribute("errors", Long.toString(errors));
        xml.writeAttribute("skipped", Long.toString(skipped));
        if (run.started() != null) {
            xml.writeAttribute("timestamp", run.started().toString());
        }
        xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", run.seconds()));
        if (run.replay()) {
            start("properties");
            start("property");
            xml.writeAttribute("name", "replay of");
            xml.writeAttribute("value", clean(run.machine()));
            end();
            end();
        }
    }

    private static long failedSteps(RunReport run) {
        return run.steps().stream().filter(s -> s.state().equals("failed")).count();
    }

    private static long broken(RunReport run) {
        return run.steps().stream().filter(s -> isError(s.state())).count();
    }

    private static long skipped(RunReport run) {
        return run.steps().stream().filter(s -> isSkipped(s.state())).count();
    }

    private static boolean isError(String state) {
        return state.equals("broken") || state.equals("interrupted") || state.equals("running");
    }

    private static boolean isSkipped(String state) {
        return switch (state) {
            case "passed", "warned", "reused", "failed" -> false;
            default -> !isError(state);
        };
    }

    private void step(RunReport.StepLine step) throws XMLStreamException {
        testCase("step", step.id(), step.seconds());
        if (step.state().equals("failed")) {
            message("failure", step.reason(), "");
        } else if (isError(step.state())) {
            message("error", step.state() + ": " + step.reason(), "");
        } else if (isSkipped(step.state())) {
            message("skipped", step.state() + ": " + step.reason(), "");
        }
        end();
    }

    private void verdict(Verdict verdict) throws XMLStreamException {
        testCase("finding." + verdict.area(), verdict.id(), 0);
        String body = body(verdict);
        if (verdict.level() == Verdict.Level.FAIL) {
            message("failure", verdict.says(), body);
        } else {
            start("system-out");
            xml.writeCharacters(clean(verdict.says() + "\n" + body));
            end();
        }
        end();
    }

    private static String body(Verdict verdict) {
        String fixes =
                verdict.fixes().stream().map(VerdictText::fix).collect(Collectors.joining("\n"));
        String evidence =
                verdict.evidence().stream()
                        .map(s -> "seen in " + s)
                        .collect(Collectors.joining("\n"));
        return (evidence + "\n" + fixes).strip();
    }

    private void untold(Judgement.Untold untold) throws XMLStreamException {
        testCase("unknown." + untold.area(), untold.rule(), 0);
        String why =
                untold.missing().stream()
                        .map((Unknown m) -> m.what() + ": " + m.why())
                        .collect(Collectors.joining("; "));
        message("skipped", "unknown: " + why, "");
        end();
    }

    private void testCase(String group, String name, double seconds) throws XMLStreamException {
        start("testcase");
        xml.writeAttribute("classname", "gpuflow." + clean(group));
        xml.writeAttribute("name", clean(name));
        xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", seconds));
    }

    private void message(String element, String message, String body) throws XMLStreamException {
        start(element);
        xml.writeAttribute("message", clean(message));
        xml.writeCharacters(clean(body));
        end();
    }

    private void start(String element) throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeStartElement(element);
    }

    private void end() throws XMLStreamException {
        xml.writeEndElement();
    }

    /** XML 1.0 has no place for most control characters, not even escaped. */
    private static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .forEach(
                        c -> {
                            boolean ok =
                                    c == '\t'
                                            || c == '\n'
                                            || (c >= 0x20 && c <= 0xd7ff)
                                            || (c >= 0xe000 && c <= 0xfffd)
                                            || c >= 0x10000;
                            clean.appendCodePoint(ok ? c : '\ufffd');
                        });
        return clean.toString();
    }
}
