package io.gpuflow.parse;

import io.gpuflow.facts.Imex;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads nvidia-imex-ctl: -N (text and JSON) for the domain, -q for the daemon of one node. */
public final class ImexParser implements Parser<ImexReport> {
    private static final List<String> DOMAIN_STATES = List.of("UP", "DOWN", "DEGRADED");
    private static final Set<String> DAEMON_STATES =
            Set.of(
                    "INITIALIZING",
                    "STARTING_AUTH_SERVER",
                    "WAITING_FOR_PEERS",
                    "WAITING_FOR_RECOVERY",
                    "INIT_GPU",
                    "READY",
                    "SHUTTING_DOWN",
                    "UNAVAILABLE");

    @Override
    public String kind() {
        return "imex";
    }

    @Override
    public boolean readsPart() {
        return true;
    }

    @Override
    public int recognises(String head) {
        if (head.contains("Domain State:")
                || head.contains("Connectivity Table")
                || head.contains("Node #0")) {
            return 90;
        }
        if (head.contains("\"nodes\"") && head.contains("\"status\"")) {
            return 80;
        }
        if (daemonState(Lines.of(head)) != null) {
            return 80;
        }
        return head.contains("nvidia-imex") ? 50 : 0;
    }

    @Override
    public ImexReport parse(String text) {
        List<String> lines = Lines.of(text);
        if (JsonTree.isIn(lines)) {
            JsonTree json = JsonTree.in(lines);
            if (JsonTree.get(json.root(), "nodes") != null
                    || JsonTree.get(json.root(), "status") != null) {
                return json(json, lines);
            }
        }
        return text(lines);
    }

    private static ImexReport json(JsonTree json, List<String> lines) {
        Map<String, String> nodes = new LinkedHashMap<>();
        Set<String> versions = new LinkedHashSet<>();
        if (JsonTree.get(json.root(), "nodes") instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> node : map.entrySet()) {
                String status = JsonTree.text(JsonTree.get(node.getValue(), "status"));
                nodes.put(String.valueOf(node.getKey()), status == null ? "" : status);
                String version = JsonTree.text(JsonTree.get(node.getValue(), "version"));
                if (version != null) {
                    versions.add(version);
                }
            }
        }
        String state = JsonTree.text(JsonTree.get(json.root(), "status"));
        return report(state, nodes, versions, null, null, json.line(), lines, List.of());
    }

    private static ImexReport text(List<String> lines) {
        Map<String, String> nodes = new LinkedHashMap<>();
        Set<String> versions = new LinkedHashSet<>();
        List<String> unparsed = new ArrayList<>();
        String state = null;
        int stateLine = 0;
        int cells = 0;
        int connected = 0;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int domain = line.indexOf("Domain State:");
            int[] row = connections(line);
            if (domain >= 0) {
                state = domainState(line.substring(domain + 13));
                stateLine = i + 1;
            } else if (row != null) {
                cells += row[0];
                connected += row[1];
            } else if (!readNode(line, nodes, versions) && !isHeading(line)) {
                unparsed.add(Excerpt.of(line));
            }
        }
        Boolean all = cells == 0 ? null : Boolean.valueOf(cells == connected);
        String daemon = state == null && nodes.isEmpty() ? daemonState(lines) : null;
        if (daemon != null) {
            unparsed = List.of();
        }
        return report(state, nodes, versions, all, daemon, stateLine, lines, unparsed);
    }

    /** The state; null when it is only the beginning of a known word: the text was cut there. */
    private static String domainState(String text) {
        List<Token> words = Token.in(text);
        if (words.isEmpty()) {
            return null;
        }
        String word = words.get(0).text();
        for (String known : DOMAIN_STATES) {
            if (known.startsWith(word) && known.length() > word.length()) {
                return null;
            }
        }
        return word;
    }

    /** Node #0 - 172.31.48.81 - READY - Version: 570.172 */
    private static boolean readNode(String line, Map<String, String> nodes, Set<String> versions) {
        int at = line.indexOf("Node #");
        if (at < 0) {
            return false;
        }
        String[] fields = line.substring(at + 6).split("\\s+-\\s+");
        if (fields.length < 3 || !Numbers.isInteger(fields[0].strip())) {
            return false;
        }
        nodes.put(fields[0].strip(), fields[2].strip());
        for (String field : fields) {
            if (field.startsWith("Version:") && !field.substring(8).isBlank()) {
                versions.add(field.substring(8).strip());
            }
        }
        return true;
    }

    /**
     * Cells and connected cells of a row of the connectivity table (a number, then cells), or null.
     */
    private static int[] connections(String line) {
        List<Token> words = Token.in(line);
        int connected = 0;
        int cells = 0;
        int at = words.size() - 1;
        while (at >= 0 && isConnection(words.get(at).text())) {
            connected += words.get(at).text().equals("C") ? 1 : 0;
            cells++;
            at--;
        }
        boolean row = cells > 0 && at >= 0 && Numbers.isInteger(words.get(at).text());
        return row ? new int[] {cells, connected} : null;
    }

    private static boolean isConnection(String word) {
        return switch (word) {
            case "C", "I", "N", "R", "D", "A", "V", "M", "!V!", "!M!" -> true;
            default -> false;
        };
    }

    /** 5/12/2025 06:08:10.580 */
    private static boolean isTime(String text) {
        return Character.isDigit(text.charAt(0)) && text.indexOf('/') > 0 && text.indexOf(':') > 0;
    }

    private static boolean isHeading(String line) {
        String text = line.strip();
        int dash = text.indexOf(" - ");
        return text.isEmpty()
                || text.startsWith("Connectivity Table")
                || text.equals("Nodes:")
                || isTime(text)
                || text.startsWith("Nodes From")
                || dash > 0 && dash <= 3;
    }

    /** The single word that -q prints, prompts aside, or null. */
    private static String daemonState(List<String> lines) {
        String state = null;
        for (String line : lines) {
            String text = line.strip();
            boolean prompt = text.contains("nvidia-imex-ctl") || text.startsWith("[exit ");
            if (text.isEmpty() || prompt) {
                continue;
            }
            if (state != null || !DAEMON_STATES.contains(text)) {
                return null;
            }
            state = text;
        }
        return state;
    }

    private static ImexReport report(
            String state,
            Map<String, String> nodes,
            Set<String> versions,
            Boolean allConnected,
            String daemon,
            int line,
            List<String> lines,
            List<String> unparsed) {
        Failure failure = null;
        if (state == null && nodes.isEmpty() && daemon == null) {
            failure = failure(lines);
        }
        List<Noted> notes = new ArrayList<>();
        int ready = 0;
        for (String status : nodes.values()) {
            ready += status.equals("READY") ? 1 : 0;
        }
        if (state != null || !nodes.isEmpty()) {
            notes.add(Noted.at(new Imex(state, ready, nodes.size(), null), line, lines));
        } else {
            String why = failure == null ? "the state of the domain was not asked" : failure.text();
            notes.add(
                    Noted.at(
                            new Unknown("Imex", why), failure == null ? 0 : failure.line(), lines));
        }
        return new ImexReport(
                state,
                nodes,
                ready,
                new ArrayList<>(versions),
                allConnected,
                daemon,
                failure,
                notes,
                unparsed);
    }

    private static Failure failure(List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains("Failed to read node configuration")) {
                return new Failure("imex-not-configured", Excerpt.of(lines.get(i)), i + 1);
            }
        }
        Failure failure = ToolErrors.in(lines);
        return failure != null
                ? failure
                : new Failure("no-state", "no state of an IMEX domain found", 0);
    }
}
