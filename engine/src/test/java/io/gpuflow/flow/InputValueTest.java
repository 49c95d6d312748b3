package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class InputValueTest {
    @Test
    void aListIsWrittenPlainlyOrAsInYaml() {
        for (String text : new String[] {"a,b", "a, b", "[a, b]", " [a,b] "}) {
            assertEquals(List.of("a", "b"), InputValue.parse(Input.Type.LIST, text), text);
        }
        assertEquals(List.of(), InputValue.parse(Input.Type.LIST, "[]"));
        assertEquals(List.of(), InputValue.parse(Input.Type.LIST, ""));
    }
}
