package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.FactTypes;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Topology;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FactFileTest {
    @TempDir Path dir;

    @Test
    void everyFactTypeReadsBackFilledAndEmpty() throws Exception {
        List<Observed> facts = new ArrayList<>();
        for (Class<? extends Fact> type : FactTypes.all()) {
            facts.add(new Observed(make(type, true), new Source("tool -x", 3, "a line")));
            facts.add(new Observed(make(type, false), Source.of("tool")));
        }
        Path file = dir.resolve("facts.jsonl");
        String hash = FactFile.write(file, facts, Secrets.NONE);
        assertEquals(facts, FactFile.read(file, hash));
    }

    @Test
    void keysAndWordsAreThoseOfRuleCases() throws IOException {
        Path file = dir.resolve("facts.jsonl");
        Topology topology = new Topology(LinkClass.PCIE_ONLY, 4, List.of());
        FactFile.write(
                file,
                List.of(new Observed(topology, new Source("nvidia-smi topo -m", 2, ""))),
                Secrets.NONE);
        assertEquals(
                """
                {"fact":"Topology","is":{"link_class":"pcie-only","gpu_count":4,"groups":[]},\
                "from":{"text":"nvidia-smi topo -m","line":2}}
                """,
                Files.readString(file));
    }

    @Test
    void aChangedFileIsNotRead() throws IOException {
        Path file = dir.resolve("facts.jsonl");
        String hash = FactFile.write(file, List.of(), Secrets.NONE);
        Files.writeString(file, "\n");
        assertThrows(IOException.class, () -> FactFile.read(file, hash));
    }

    private static Fact make(Class<? extends Fact> type, boolean filled) throws Exception {
        RecordComponent[] parts = type.getRecordComponents();
        Class<?>[] types = new Class<?>[parts.length];
        Object[] values = new Object[parts.length];
        for (int i = 0; i < parts.length; i++) {
            types[i] = parts[i].getType();
            values[i] = value(types[i], parts[i].getGenericType().toString(), filled);
        }
        Constructor<? extends Fact> made = type.getDeclaredConstructor(types);
        made.setAccessible(true);
        return made.newInstance(values);
    }

    private static Object value(Class<?> type, String generic, boolean filled) {
        if (type == int.class || (type == Integer.class && filled)) {
            return 7;
        } else if (type == long.class || (type == Long.class && filled)) {
            return 1L << 40;
        } else if (type == double.class || (type == Double.class && filled)) {
            return 26.562;
        } else if (type == boolean.class || (type == Boolean.class && filled)) {
            return true;
        } else if (type == SortedMap.class) {
            return new TreeMap<>(Map.of("k", 5));
        } else if (type == Map.class) {
            return generic.contains("List") ? Map.of("k", List.of("v")) : Map.of("k", "v");
        } else if (type == List.class) {
            return list(generic);
        } else if (!filled) {
            return null;
        }
        return type == LinkClass.class
                ? LinkClass.NVLINK_PAIRS
                : type == String.class ? "é\n" : null;
    }

    private static List<?> list(String generic) {
        if (generic.contains("List<java.util.List")) {
            return List.of(List.of(0, 1));
        }
        return generic.contains("Integer") ? List.of(1, 2) : List.of("a");
    }
}
