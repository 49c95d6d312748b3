package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class OrderTest {
    @Test
    void loadStepsStandAloneAndReadsBetweenThemRunTogether() {
        assertEquals(
                List.of(
                        List.of("probe", "disks"),
                        List.of("smoke"),
                        List.of("bench"),
                        List.of("diagnose", "report")),
                stages(
                        Made.uses("probe", "a"),
                        Made.uses("disks", "a"),
                        Made.uses("smoke", "a").load(),
                        Made.uses("bench", "a").load(),
                        Made.uses("diagnose", "a"),
                        Made.uses("report", "a").after("diagnose")));
    }

    @Test
    void aStepComesAfterWhatItNeedsWhereverItStands() {
        assertEquals(
                List.of(List.of("b", "a"), List.of("c")),
                stages(
                        Made.uses("a", "x").needs("b"),
                        Made.uses("b", "x"),
                        Made.uses("c", "x").change()));
        assertEquals(
                List.of(List.of("load"), List.of("a", "b")),
                stages(
                        Made.uses("a", "x").after("load"),
                        Made.uses("b", "x").needs("a"),
                        Made.uses("load", "x").load()));
    }

    @Test
    void aStepSeesEarlierStagesAndWhatItWaitsForButNoNeighbour() {
        Order order =
                new Order(
                        Made.flow(
                                Made.uses("early", "x"),
                                Made.uses("load", "x").load(),
                                Made.uses("a", "x"),
                                Made.uses("b", "x").needs("a"),
                                Made.uses("c", "x").after("b"),
                                Made.uses("d", "x")));
        assertEquals(List.of(), order.sees("early"));
        assertEquals(List.of("early"), order.sees("load"));
        assertEquals(List.of("early", "load"), order.sees("a"));
        assertEquals(List.of("early", "load", "a", "b"), order.sees("c"));
        assertEquals(List.of("early", "load"), order.sees("d"));
    }

    private static List<List<String>> stages(Made... steps) {
        return new Order(Made.flow(steps))
                .stages().stream().map(s -> s.steps().stream().map(Step::id).toList()).toList();
    }
}
