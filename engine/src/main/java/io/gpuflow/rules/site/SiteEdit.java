package io.gpuflow.rules.site;

import io.gpuflow.yaml.Position;
import io.gpuflow.yaml.Problem;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.YamlDocument;
import io.gpuflow.yaml.YamlNode;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Changes single entries of a site.yaml's text. Everything else stays as it is, comments and order
 * included: the text is never written anew from what was read.
 */
public final class SiteEdit {
    /** What a new file begins with. */
    public static final String EMPTY = "gpuflow-site: 1\n";

    private final String file;
    private String text;

    /** Why the file can't be changed for the user: it says what to write by hand. */
    public static final class Impossible extends Exception {
        private static final long serialVersionUID = 1L;

        Impossible(String why) {
            super(why);
        }
    }

    /**
     * @param file as messages name it
     * @param text of a file that {@link SiteReader} reads without problems
     */
    public SiteEdit(String file, String text) {
        this.file = file;
        this.text = text;
    }

    public String text() {
        return text;
    }

    /**
     * Sets one setting of a rule.
     *
     * @param value as YAML
     * @param because null to keep what stands there
     */
    public void set(String rule, String name, String value, String because, LocalDate until)
            throws Impossible {
        YamlNode.Entries item = item("set", rule);
        if (item == null) {
            Map<String, String> keys = new LinkedHashMap<>();
            keys.put("rule", rule);
            keys.put("to", "{ " + name + ": " + value + " }");
            append("set", keys, because, until);
            return;
        }
        if (!(item.get("to") instanceof YamlNode.Entries to)) {
            before(item, "to", "{ " + name + ": " + value + " }");
        } else if (to.get(name) == null) {
            before(to, name, value);
        } else {
            replace(to.get(name), value);
        }
        reasons("set", rule, because, until);
    }

    /** Gives a rule another level. */
    public void level(String rule, String level, String because, LocalDate until)
            throws Impossible {
        if (item("set", rule) == null) {
            Map<String, String> keys = new LinkedHashMap<>();
            keys.put("rule", rule);
            keys.put("level", level);
            append("set", keys, because, until);
        } else {
            replaceOrAdd(item("set", rule), "level", level);
            reasons("set", rule, because, until);
        }
    }

    /** Whether an entry of this list is about the rule. */
    public boolean has(String list, String rule) throws Impossible {
        return item(list, rule) != null;
    }

    /** Makes a rule silent. */
    public void ignore(String rule, String because, LocalDate until) throws Impossible {
        if (item("ignore", rule) == null) {
            Map<String, String> keys = new LinkedHashMap<>();
            keys.put("rule", rule);
            append("ignore", keys, because, until);
        } else {
            reasons("ignore", rule, because, until);
        }
    }

    /** Adds an entry to a list, its values as YAML. */
    public void append(String list, Map<String, String> keys, String because, LocalDate until)
            throws Impossible {
        Map<String, String> all = new LinkedHashMap<>(keys);
        all.put("because", quoted(because));
        if (until != null) {
            all.put("until", until.toString());
        }
        YamlNode.Entries root = root();
        YamlNode.Entry entry = root.entry(list);
        if (entry == null) {
            String gap = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
            insert(text.length(), gap + "\n" + list + ":\n" + block("  ", all));
        } else if (entry.value() instanceof YamlNode.Items items && !items.items().isEmpty()) {
            append(items, all);
        } else {
            fill(entry, all);
        }
        check();
    }

    private void append(YamlNode.Items items, Map<String, String> all) {
        int start = offset(items.at());
        if (text.charAt(start) == '[') {
            StringBuilder one = new StringBuilder(" {");
            String comma = " ";
            for (Map.Entry<String, String> e : all.entrySet()) {
                one.append(comma).append(e.getKey()).append(": ").append(e.getValue());
                comma = ", ";
            }
            insert(start + 1, one + " },");
            return;
        }
        int line = text.lastIndexOf('\n', offset(items.items().get(0).at())) + 1;
        int dash = line;
        while (dash < text.length() && text.charAt(dash) == ' ') {
            dash++;
        }
        int end = endOfLine(end(items));
        String gap = end > 0 && text.charAt(end - 1) != '\n' ? "\n" : "";
        insert(end, gap + block(" ".repeat(dash - line), all));
    }

    /** A list that is there and empty: {@code set:} or {@code set: []}. */
    private void fill(YamlNode.Entry entry, Map<String, String> all) {
        int key = entry.key().end();
        int end = text.indexOf('\n', key);
        end = end < 0 ? text.length() : end;
        int open = text.indexOf('[', key);
        if (open >= 0 && open < end && entry.value() instanceof YamlNode.Items) {
            int close = text.indexOf(']', open);
            text = text.substring(0, open) + text.substring(close + 1);
            end = text.indexOf('\n', key);
            end = end < 0 ? text.length() : end;
        }
        String gap = end < text.length() ? "" : "\n";
        insert(Math.min(text.length(), end + 1), gap + block("  ", all));
    }

    private static String block(String indent, Map<String, String> all) {
        StringBuilder block = new StringBuilder();
        String lead = indent + "- ";
        for (Map.Entry<String, String> e : all.entrySet()) {
            block.append(lead).append(e.getKey()).append(": ").append(e.getValue()).append('\n');
            lead = indent + "  ";
        }
        return block.toString();
    }

    private void reasons(String list, String rule, String because, LocalDate until)
            throws Impossible {
        if (because != null) {
            replaceOrAdd(item(list, rule), "because", quoted(because));
        }
        if (until != null) {
            replaceOrAdd(item(list, rule), "until", until.toString());
        }
        check();
    }

    private void replaceOrAdd(YamlNode.Entries map, String key, String value) throws Impossible {
        if (map.get(key) == null) {
            before(map, key, value);
        } else {
            replace(map.get(key), value);
        }
    }

    private void replace(YamlNode node, String value) throws Impossible {
        if (node instanceof YamlNode.Scalar scalar) {
            boolean folded = "|>".indexOf(text.charAt(scalar.start())) >= 0;
            String rest = folded ? "\n" : "";
            text = text.substring(0, scalar.start()) + value + rest + text.substring(scalar.end());
        } else if (text.charAt(offset(node.at())) == '[') {
            int open = offset(node.at());
            int close = text.indexOf(']', node instanceof YamlNode.Items i ? end(i) : open);
            text = text.substring(0, open) + value + text.substring(close + 1);
        } else {
            throw new Impossible(node.at() + ": write it there by hand: " + value);
        }
    }

    /** Puts a key before the first one of a map, in the style of the map. */
    private void before(YamlNode.Entries map, String key, String value) {
        int first = map.entries().get(0).key().start();
        int back = first - 1;
        while (back >= 0 && Character.isWhitespace(text.charAt(back))) {
            back--;
        }
        if (back >= 0 && text.charAt(back) == '{') {
            insert(first, key + ": " + value + ", ");
        } else {
            int line = text.lastIndexOf('\n', first - 1) + 1;
            insert(first, key + ": " + value + "\n" + " ".repeat(first - line));
        }
    }

    private void insert(int at, String more) {
        text = text.substring(0, at) + more + text.substring(at);
    }

    /** The entry of a rule in a list, or null. */
    private YamlNode.Entries item(String list, String rule) throws Impossible {
        if (root().get(list) instanceof YamlNode.Items items) {
            for (YamlNode node : items.items()) {
                if (node instanceof YamlNode.Entries entries
                        && entries.get("rule") instanceof YamlNode.Scalar id
                        && id.value().equals(rule)) {
                    return entries;
                }
            }
        }
        return null;
    }

    private YamlNode.Entries root() throws Impossible {
        Problems problems = new Problems();
        YamlDocument document = YamlDocument.parse(file, text, problems);
        if (document == null || !(document.root() instanceof YamlNode.Entries root)) {
            throw new Impossible(file + " is no map: begin it with gpuflow-site: 1");
        }
        if (!text.isEmpty() && text.charAt(offset(root.at())) == '{') {
            throw new Impossible(file + ":1:1: written as {…} in one piece: change it by hand");
        }
        return root;
    }

    /** What was changed must still be a policy; else nothing is written. */
    private void check() throws Impossible {
        Problems problems = new Problems();
        YamlDocument document = YamlDocument.parse(file, text, problems);
        if (document != null) {
            SiteReader.shape().read(document.root(), problems);
        }
        if (!problems.isEmpty()) {
            Problem p = problems.all().get(0);
            throw new Impossible("it would not be valid any more: " + p.at() + ": " + p.says());
        }
    }

    /** Where the last value below a node ends. */
    private int end(YamlNode node) {
        if (node instanceof YamlNode.Scalar scalar) {
            return scalar.end();
        }
        int end = offset(node.at());
        if (node instanceof YamlNode.Items items) {
            for (YamlNode item : items.items()) {
                end = Math.max(end, end(item));
            }
        } else if (node instanceof YamlNode.Entries map) {
            for (YamlNode.Entry entry : map.entries()) {
                end = Math.max(end, Math.max(entry.key().end(), end(entry.value())));
            }
        }
        return end;
    }

    /** Behind the line on which a value ends, its closing brackets included. */
    private int endOfLine(int at) {
        int i = at;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '#') {
                i = text.indexOf('\n', i) < 0 ? text.length() : text.indexOf('\n', i);
            } else if (c == '\n') {
                int next = i + 1;
                while (next < text.length() && text.charAt(next) == ' ') {
                    next++;
                }
                boolean closes = next < text.length() && "}]".indexOf(text.charAt(next)) >= 0;
                if (!closes) {
                    return i + 1;
                }
                i = next;
            } else {
                i++;
            }
        }
        return text.length();
    }

    /** Offset of a position, which counts code points. */
    private int offset(Position at) {
        int line = 0;
        for (int n = 1; n < at.line(); n++) {
            line = text.indexOf('\n', line) + 1;
        }
        return text.offsetByCodePoints(line, at.column() - 1);
    }

    /** A text as YAML: bare when that is safe. */
    public static String quoted(String value) {
        boolean safe =
                value.matches("[A-Za-z][A-Za-z0-9 ._/()%+-]*")
                        && !value.endsWith(" ")
                        && !value.matches("(?i)true|false|null|yes|no|on|off|y|n");
        return safe
                ? value
                : '"'
                        + value.replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("\n", "\\n")
                                .replace("\t", "\\t")
                        + '"';
    }
}
