package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Service;
import io.gpuflow.parse.SystemctlShow;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fabric Manager, IMEX and persistence daemon: asked of systemd, else looked for among the
 * processes. A container sees neither, and then it is unknown.
 */
final class FabricServices implements Probe {
    /** Unit, and what the kernel calls its process: names are cut to 15 letters. */
    private static final String[][] SERVICES = {
        {"nvidia-fabricmanager", "nv-fabricmanage"},
        {"nvidia-imex", "nvidia-imex"},
        {"nvidia-persistenced", "nvidia-persiste"},
    };

    private static final Pattern VERSION = Pattern.compile("(\\d{3,4}(?:\\.\\d{1,4}){1,3})");

    @Override
    public String name() {
        return "services";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(Service.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<String> argv =
                new ArrayList<>(
                        List.of(
                                "systemctl",
                                "show",
                                "--property=Id,LoadState,ActiveState,SubState,Result"));
        for (String[] service : SERVICES) {
            argv.add(service[0] + ".service");
        }
        ToolCall call = ToolCall.of(Answer.LIMIT, argv.toArray(String[]::new));
        Answer<SystemctlShow.Reading> answer =
                Answer.of(tools, new SystemctlShow(), call, "systemctl show");
        List<Observed> facts = answer.ok() ? answer.facts(brings()) : processes(tools, answer);
        return facts.stream().map(f -> withVersion(tools, f)).toList();
    }

    private List<Observed> processes(Tools tools, Answer<SystemctlShow.Reading> systemd) {
        if (ContainerHints.isContainer(tools)) {
            String why =
                    "a container does not show the host's services; on the host: systemctl status"
                            + " nvidia-fabricmanager";
            return Answer.unknown(brings(), why, systemd.source());
        }
        ToolResult ps = tools.run(ToolCall.of(Answer.LIMIT, "ps", "-e", "-o", "comm="));
        String why = Failure.of(ps);
        if (why != null) {
            return Answer.unknown(brings(), systemd.why() + "; " + why, systemd.source());
        }
        List<String> running = ps.stdout().lines().map(String::strip).toList();
        List<Observed> facts = new ArrayList<>();
        for (String[] service : SERVICES) {
            String state = running.contains(service[1]) ? "active" : "inactive";
            facts.add(Answer.known(new Service(service[0], state, null), "ps -e -o comm="));
        }
        return facts;
    }

    /** Fabric Manager must be of the driver's version exactly, so its own is asked for. */
    private static Observed withVersion(Tools tools, Observed observed) {
        if (!(observed.fact() instanceof Service s)
                || s.state() == null
                || s.state().equals("absent")
                || s.state().equals("inactive")) {
            return observed;
        }
        String program =
                switch (s.name()) {
                    case "nvidia-fabricmanager" -> "nv-fabricmanager";
                    case "nvidia-imex" -> "nvidia-imex";
                    default -> null;
                };
        if (program == null) {
            return observed;
        }
        ToolResult result = tools.run(ToolCall.of(Answer.LIMIT, program, "--version"));
        Matcher m = VERSION.matcher(result.ok() ? result.stdout() : "");
        return m.find()
                ? new Observed(new Service(s.name(), s.state(), m.group(1)), observed.source())
                : observed;
    }
}
