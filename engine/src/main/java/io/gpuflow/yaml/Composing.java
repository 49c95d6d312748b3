package io.gpuflow.yaml;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** Turns SnakeYAML's nodes into ours, within limits. */
final class Composing {
    private static final int DEEPEST = 50;

    /** Most nodes with aliases replaced: stops a few lines from standing for billions. */
    private static final int MOST_NODES = 100_000;

    private static final String TOO_DEEP = "nested deeper than " + DEEPEST + " levels";
    private static final String TOO_LARGE = "more than " + MOST_NODES + " values";

    private final SourceText source;
    private final Problems problems;
    private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private int nodes;

    private Composing(SourceText source, Problems problems) {
        this.source = source;
        this.problems = problems;
    }

    static YamlNode compose(SourceText source, Problems problems) {
        return new Composing(source, problems).document();
    }

    private YamlNode document() {
        LoaderOptions options = new LoaderOptions();
        options.setNestingDepthLimit(DEEPEST);
        options.setMaxAliasesForCollections(MOST_NODES);
        ParserImpl parser = new ParserImpl(new StreamReader(source.text), options);
        try {
            Node root = new Composer(parser, new NoTypes(), options).getSingleNode();
            if (root != null) {
                return node(root);
            }
            problems.file(source.file, "the file is empty", "is it the right file?");
        } catch (TooMany e) {
            problems.at(position(e.at), e.getMessage(), "write less of it, or without aliases");
        } catch (MarkedYAMLException e) {
            SyntaxProblem.report(e, source, problems);
        } catch (ReaderException e) {
            int at = source.offset(e.getPosition());
            String says = String.format("character U+%04X is not allowed", e.getCodePoint());
            problems.at(source.at(at), says, "write it as \"\\u…\" or remove it");
        } catch (YAMLException e) {
            deep(parser, e);
        }
        return null;
    }

    /** SnakeYAML gives no position for its depth limit; the parser stands where it is. */
    private void deep(ParserImpl parser, YAMLException e) {
        boolean deep = String.valueOf(e.getMessage()).startsWith("Nesting Depth");
        String says = deep ? TOO_DEEP : e.getMessage();
        Mark mark = parser.peekEvent().getStartMark();
        problems.at(position(mark), says, deep ? "is it the right file?" : "");
    }

    private YamlNode node(Node node) throws TooMany {
        if (++nodes > MOST_NODES) {
            throw new TooMany(node.getStartMark(), TOO_LARGE);
        }
        Position at = position(node.getStartMark());
        if (node instanceof ScalarNode scalar) {
            return scalar(scalar, at);
        }
        if (!open.add(node)) {
            problems.at(at, "this value contains itself", "remove the alias inside of it");
            return new YamlNode.Items(at, List.of());
        }
        if (open.size() > DEEPEST) {
            // Aliases can nest what the text alone does not.
            throw new TooMany(node.getStartMark(), TOO_DEEP);
        }
        tag(node);
        YamlNode result =
                node instanceof SequenceNode sequence
                        ? items(sequence, at)
                        : entries((MappingNode) node, at);
        open.remove(node);
        return result;
    }

    private YamlNode items(SequenceNode node, Position at) throws TooMany {
        List<YamlNode> items = new ArrayList<>();
        for (Node item : node.getValue()) {
            items.add(node(item));
        }
        return new YamlNode.Items(at, items);
    }

    private YamlNode entries(MappingNode node, Position at) throws TooMany {
        Map<String, Position> seen = new HashMap<>();
        List<YamlNode.Entry> entries = new ArrayList<>();
        for (NodeTuple tuple : node.getValue()) {
            YamlNode key = node(tuple.getKeyNode());
            YamlNode value = node(tuple.getValueNode());
            if (!(key instanceof YamlNode.Scalar name) || name.isEmpty()) {
                problems.at(key, "a key must be text, this is " + key.words(), "");
            } else if (name.plain() && name.value().equals("<<")) {
                problems.at(key, "merge keys (<<) are not supported", "write the keys out");
            } else if (seen.containsKey(name.value())) {
                int first = seen.get(name.value()).line();
                String says = "the key " + name.value() + " is here twice";
                problems.at(key, says, "the first one is on line " + first + ": keep one");
            } else {
                seen.put(name.value(), name.at());
                entries.add(new YamlNode.Entry(name, value));
            }
        }
        return new YamlNode.Entries(at, entries);
    }

    private YamlNode scalar(ScalarNode node, Position at) {
        boolean refused = tag(node);
        Span span = new Span(source, offset(node.getStartMark()), offset(node.getEndMark()));
        boolean plain = node.getScalarStyle() == ScalarStyle.PLAIN && !isTagged(node);
        // Read on with what was meant, so that a tag does not hide further problems.
        String value =
                refused ? source.text.substring(span.start(), span.end()).strip() : node.getValue();
        return new YamlNode.Scalar(at, value, plain, span);
    }

    private boolean isTagged(Node node) {
        int at = offset(node.getStartMark());
        return at < source.text.length() && source.text.charAt(at) == '!';
    }

    private boolean tag(Node node) {
        int start = offset(node.getStartMark());
        String text = source.text;
        while (start < text.length() && text.charAt(start) == '&') {
            start = pastWord(start);
        }
        if (start >= text.length()
                || text.charAt(start) != '!'
                || start > offset(node.getEndMark())) {
            return false;
        }
        if (text.startsWith("!!str", start) && node instanceof ScalarNode) {
            return false;
        }
        String meant = text.substring(start, offset(node.getEndMark()));
        SyntaxProblem.exclamation(source.at(start), meant.lines().findFirst().orElse(""), problems);
        return true;
    }

    private int pastWord(int at) {
        while (at < source.text.length() && !Character.isWhitespace(source.text.charAt(at))) {
            at++;
        }
        while (at < source.text.length() && Character.isWhitespace(source.text.charAt(at))) {
            at++;
        }
        return at;
    }

    private Position position(Mark mark) {
        return new Position(source.file, mark.getLine() + 1, mark.getColumn() + 1);
    }

    private int offset(Mark mark) {
        return source.offset(mark.getIndex());
    }

    /** Leaves every plain scalar a text: its meaning depends on what is expected. */
    private static final class NoTypes extends Resolver {
        @Override
        protected void addImplicitResolvers() {
            // None.
        }
    }

    private static final class TooMany extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Mark at;

        TooMany(Mark at, String says) {
            super(says, null, false, false);
            this.at = at;
        }
    }
}
