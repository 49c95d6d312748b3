package io.gpuflow.parse;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An XML element read without DTDs and external entities, so that a file can neither reach out nor
 * blow up. Depth and size are limited.
 */
final class XmlNode {
    private static final int MAX_DEPTH = 32;
    private static final int MAX_NODES = 400_000;
    private static final int MAX_CHARS = 32 << 20;

    final String name;
    final Map<String, String> attributes = new TreeMap<>();
    final List<XmlNode> children = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    private XmlNode(String name) {
        this.name = name;
    }

    /**
     * Reads one document.
     *
     * @param skipped elements left out with all they hold
     * @throws XMLStreamException when it is not well-formed or too large
     */
    static XmlNode read(String document, Set<String> skipped) throws XMLStreamException {
        if (document.length() > MAX_CHARS) {
            throw new XMLStreamException("longer than " + MAX_CHARS + " characters");
        }
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(document));
        try {
            return new Building(skipped).build(reader);
        } finally {
            reader.close();
        }
    }

    /** The first child of this name, or null. */
    XmlNode child(String wanted) {
        for (XmlNode c : children) {
            if (c.name.equals(wanted)) {
                return c;
            }
        }
        return null;
    }

    /**
     * The text at a path such as pci/pcie_gen/max_link_gen, trimmed, or null when there is none.
     */
    String at(String path) {
        XmlNode node = this;
        for (String step : path.split("/")) {
            node = node.child(step);
            if (node == null) {
                return null;
            }
        }
        return node.text();
    }

    String text() {
        return text.toString().trim();
    }

    private static final class Building {
        private final Set<String> skipped;
        private final List<XmlNode> open = new ArrayList<>();
        private int nodes;

        Building(Set<String> skipped) {
            this.skipped = skipped;
        }

        XmlNode build(XMLStreamReader reader) throws XMLStreamException {
            XmlNode root = null;
            while (reader.hasNext()) {
                switch (reader.next()) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        XmlNode node = start(reader);
                        root = root == null ? node : root;
                    }
                    case XMLStreamConstants.END_ELEMENT -> open.remove(open.size() - 1);
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
                            characters(reader.getText());
                    default -> {}
                }
            }
            return root;
        }

        private XmlNode start(XMLStreamReader reader) throws XMLStreamException {
            if (open.size() >= MAX_DEPTH || ++nodes > MAX_NODES) {
                throw new XMLStreamException("nested too deep or too many elements");
            }
            XmlNode node = new XmlNode(reader.getLocalName());
            for (int i = 0; i < reader.getAttributeCount(); i++) {
                node.attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
            }
            if (!open.isEmpty() && !skipped.contains(node.name)) {
                open.get(open.size() - 1).children.add(node);
            }
            open.add(node);
            return node;
        }

        private void characters(String chars) {
            if (!open.isEmpty()) {
                open.get(open.size() - 1).text.append(chars);
            }
        }
    }
}
