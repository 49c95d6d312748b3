package io.gpuflow.scan;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RequiredTextTest {
    @Test
    void plainRunsAreRequired() {
        assertTrue(
                RequiredText.implies(
                        "failed \\(exitcode: (?<exit>-?\\d+)\\)", "failed (exitcode: "));
        assertTrue(RequiredText.implies("(?<name>NCCL_GRAPH_FILE) set by", "NCCL_GRAPH_FILE set"));
        assertTrue(RequiredText.implies("^a(?:bc)+d", "bc"));
        assertTrue(RequiredText.implies("(?:one|two) error", " error"));
        assertTrue(RequiredText.implies("xy{2}z", "xy"));
    }

    @Test
    void whatMayBeAbsentIsNot() {
        assertFalse(RequiredText.implies("errors?", "errors"));
        assertFalse(RequiredText.implies("one|two", "one"));
        assertFalse(RequiredText.implies("(?:abc)?d", "abc"));
        assertFalse(RequiredText.implies("[Cc]all", "Call"));
        assertFalse(RequiredText.implies("a(?!bcd)e", "bcd"));
        assertFalse(RequiredText.implies("ab*c", "ab"));
        assertFalse(RequiredText.implies("a.c", "abc"));
    }
}
