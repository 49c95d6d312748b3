package io.gpuflow.rules.folder;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** A YAML value with its position. Stands in until the yaml package is there. */
public final class YamlNode {
    final String file;
    final int line;
    final int column;
    final String text;
    final boolean quoted;
    final List<YamlNode> list;
    final Map<String, YamlNode> map;
    final Map<String, YamlNode> keys;

    private YamlNode(String file, Node node, String text, boolean quoted) {
        this.file = file;
        this.line = node.getStartMark().getLine() + 1;
        this.column = node.getStartMark().getColumn() + 1;
        this.text = text;
        this.quoted = quoted;
        this.list = node instanceof SequenceNode ? new ArrayList<>() : null;
        this.map = node instanceof MappingNode ? new LinkedHashMap<>() : null;
        this.keys = node instanceof MappingNode ? new LinkedHashMap<>() : null;
    }

    public static YamlNode read(String file, String content) {
        Node root = new Yaml(new LoaderOptions()).compose(new StringReader(content));
        return root == null ? null : of(file, root);
    }

    private static YamlNode of(String file, Node node) {
        if (node instanceof ScalarNode s) {
            return new YamlNode(
                    file,
                    node,
                    s.getValue(),
                    s.getScalarStyle() != org.yaml.snakeyaml.DumperOptions.ScalarStyle.PLAIN);
        }
        YamlNode out = new YamlNode(file, node, null, false);
        if (node instanceof SequenceNode s) {
            s.getValue().forEach(n -> out.list.add(of(file, n)));
        } else if (node instanceof MappingNode m) {
            for (NodeTuple t : m.getValue()) {
                YamlNode key = of(file, t.getKeyNode());
                out.map.put(key.text, of(file, t.getValueNode()));
                out.keys.put(key.text, key);
            }
        }
        return out;
    }

    boolean isNull() {
        return text != null
                && !quoted
                && (text.isEmpty() || text.equals("null") || text.equals("~"));
    }

    String at() {
        return file + ":" + line + ":" + column;
    }
}
