package io.gpuflow.cli;

import java.util.concurrent.Callable;

/** The verbs. To add one, add its class and a line here. */
final class Verbs {
    private Verbs() {}

    static Callable<Integer> named(String verb) {
        return switch (verb) {
            case "baseline" -> new BaselineCommand();
            case "bundle" -> new BundleCommand();
            case "advise" -> new AdviseCommand();
            case "diagnose" -> new DiagnoseCommand();
            case "explain" -> new ExplainCommand();
            case "facts" -> new FactsCommand();
            case "graph" -> new GraphCommand();
            case "lint" -> new LintCommand();
            case "probe" -> new ProbeCommand();
            case "report" -> new ReportCommand();
            case "rules" -> new RulesCommand();
            case "run" -> new RunCommand();
            case "runs" -> new RunsCommand();
            case "schema" -> new SchemaCommand();
            case "why-not" -> new WhyNotCommand();
            default -> null;
        };
    }
}
