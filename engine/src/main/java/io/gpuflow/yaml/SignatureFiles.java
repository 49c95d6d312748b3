package io.gpuflow.yaml;

import io.gpuflow.scan.Signature;
import io.gpuflow.scan.Signature.Kind;
import io.gpuflow.scan.Signature.Wording;
import io.gpuflow.scan.Signatures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads {@code rules/signatures/*.yaml}, and writes the compact form at build time.
 *
 * <p>Each wording is checked: its text must be implied by its pattern, so that a line that matches
 * is never missed by the scanner, and must be long enough to be rare in a healthy log.
 */
public final class SignatureFiles {
    private static final int SHORTEST_TEXT = 3;
    private static final Set<String> KEYS =
            Set.of("id", "kind", "generic", "startup", "means", "wordings");
    private static final Set<String> WORDING_KEYS =
            Set.of("text", "match", "unless", "since", "until", "source", "every");

    private static final Pattern PLACED = Pattern.compile("(.*):(\\d+):(\\d+): (.*)");

    private final List<String> problems = new ArrayList<>();
    private final Map<String, String> placeOfId = new HashMap<>();

    private SignatureFiles() {}

    /**
     * Build step: {@code SignatureFiles rules/signatures target/classes [lenient]}. A signature
     * with a mistake fails a strict build and is left out of a lenient one; it is told in both.
     */
    public static void main(String[] args) throws IOException {
        Path out = Path.of(args[1], Signatures.RESOURCE);
        SignatureFiles reader = new SignatureFiles();
        List<Signature> all = reader.all(Path.of(args[0]));
        reader.problems.forEach(p -> System.err.println("rules/signatures/" + p));
        boolean lenient = args.length > 2 && args[2].equals("lenient");
        if (!reader.problems.isEmpty() && !lenient) {
            throw new IllegalStateException(
                    reader.problems.size() + " problems in rules/signatures");
        }
        Files.createDirectories(out.getParent());
        Files.write(out, Signatures.of(all).bytes());
    }

    /**
     * @throws IllegalArgumentException naming every problem with file, line and column
     */
    public static List<Signature> read(Path folder) throws IOException {
        SignatureFiles reader = new SignatureFiles();
        List<Signature> all = reader.all(folder);
        if (!reader.problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", reader.problems));
        }
        return all;
    }

    /** Those without problems. */
    private List<Signature> all(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> list = Files.list(folder)) {
            files = list.filter(p -> p.toString().endsWith(".yaml")).sorted().toList();
        }
        List<Signature> all = new ArrayList<>();
        for (Path file : files) {
            all.addAll(file(file.getFileName().toString(), Files.readString(file)));
        }
        return all;
    }

    /**
     * The signatures of one file of a site; those with mistakes are left out.
     *
     * @param taken ids that can't be used again
     * @param problems each problem with its place
     */
    public static List<Signature> own(Path file, Set<String> taken, Problems problems) {
        YamlDocument document = YamlDocument.read(file, problems);
        if (document == null) {
            return List.of();
        }
        SignatureFiles reader = new SignatureFiles();
        taken.forEach(id -> reader.placeOfId.put(id, "gpuflow or another file"));
        List<Signature> all = reader.file(file.toString(), document.text());
        String form = "the form is that of rules/signatures";
        for (String problem : reader.problems) {
            Matcher m = PLACED.matcher(problem);
            if (m.matches()) {
                int line = Integer.parseInt(m.group(2));
                Position at = new Position(m.group(1), line, Integer.parseInt(m.group(3)));
                problems.at(at, m.group(4), form);
            } else {
                problems.file(file.toString(), problem, form);
            }
        }
        return all;
    }

    private List<Signature> file(String name, String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        Node root;
        try {
            root = new Yaml(new SafeConstructor(options)).compose(new java.io.StringReader(text));
        } catch (org.yaml.snakeyaml.error.YAMLException e) {
            problems.add(name + ": " + e.getMessage());
            return List.of();
        }
        List<Signature> all = new ArrayList<>();
        for (Node node : list(name, map(name, root).get("signatures"))) {
            int before = problems.size();
            Signature signature = signature(name, node);
            if (signature != null && problems.size() == before) {
                all.add(signature);
            }
        }
        return all;
    }

    private Signature signature(String file, Node node) {
        Map<String, Node> map = map(file, node);
        unknown(file, node, map, KEYS);
        String id = text(map.get("id"));
        String kind = text(map.get("kind"));
        if (id.isEmpty() || kind.isEmpty() || text(map.get("means")).isEmpty()) {
            problem(file, node, "a signature needs id, kind and means");
            return null;
        }
        String before = placeOfId.put(id, file + ":" + (node.getStartMark().getLine() + 1));
        if (before != null) {
            problem(file, node, "signature " + id + " is also in " + before);
        }
        List<Wording> wordings = new ArrayList<>();
        for (Node w : list(file, map.get("wordings"))) {
            wordings.add(wording(file, id, w));
        }
        if (wordings.isEmpty()) {
            problem(file, node, "signature " + id + " has no wordings");
        }
        try {
            return new Signature(
                    id,
                    Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
                    text(map.get("generic")).equals("true"),
                    text(map.get("startup")).equals("true"),
                    text(map.get("means")),
                    wordings);
        } catch (IllegalArgumentException e) {
            problem(
                    file,
                    node,
                    "kind is fault, victim, timeout, wrapper, end or context, not " + kind);
            return null;
        }
    }

    private Wording wording(String file, String id, Node node) {
        if (node instanceof ScalarNode scalar) {
            return checked(file, id, node, scalar.getValue(), null, List.of(), Map.of());
        }
        Map<String, Node> map = map(file, node);
        unknown(file, node, map, WORDING_KEYS);
        List<String> unless = new ArrayList<>();
        if (map.get("unless") instanceof ScalarNode one) {
            unless.add(one.getValue());
        } else if (map.get("unless") != null) {
            list(file, map.get("unless")).forEach(n -> unless.add(text(n)));
        }
        String match = map.containsKey("match") ? text(map.get("match")) : null;
        return checked(file, id, node, text(map.get("text")), match, unless, map);
    }

    private Wording checked(
            String file,
            String id,
            Node node,
            String text,
            String match,
            List<String> unless,
            Map<String, Node> map) {
        if (text.length() < SHORTEST_TEXT || text.indexOf('\n') >= 0) {
            problem(file, node, id + ": text needs " + SHORTEST_TEXT + " characters, on one line");
        }
        if (match != null) {
            try {
                Pattern.compile(match);
                if (!Signatures.implies(match, text)) {
                    problem(file, node, id + ": a line can match without the text: " + text);
                }
            } catch (PatternSyntaxException e) {
                problem(file, node, id + ": " + e.getMessage());
            }
        }
        return new Wording(
                text,
                match,
                unless,
                text(map.get("since")),
                text(map.get("until")),
                text(map.get("source")),
                text(map.get("every")).equals("true"));
    }

    private void unknown(String file, Node node, Map<String, Node> map, Set<String> keys) {
        for (String key : map.keySet()) {
            if (!keys.contains(key)) {
                problem(file, node, "unknown key " + key);
            }
        }
    }

    private Map<String, Node> map(String file, Node node) {
        Map<String, Node> map = new HashMap<>();
        if (node instanceof MappingNode mapping) {
            for (NodeTuple t : mapping.getValue()) {
                map.put(text(t.getKeyNode()), t.getValueNode());
            }
        } else if (node != null) {
            problem(file, node, "expected keys and values");
        }
        return map;
    }

    private List<Node> list(String file, Node node) {
        if (node instanceof SequenceNode sequence) {
            return sequence.getValue();
        }
        if (node != null) {
            problem(file, node, "expected a list");
        }
        return List.of();
    }

    private static String text(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    private void problem(String file, Node node, String what) {
        problems.add(
                file
                        + ":"
                        + (node.getStartMark().getLine() + 1)
                        + ":"
                        + (node.getStartMark().getColumn() + 1)
                        + ": "
                        + what);
    }
}
