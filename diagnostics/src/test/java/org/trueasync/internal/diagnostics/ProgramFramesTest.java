package org.trueasync.internal.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which frames of a stack a dump shows. */
class ProgramFramesTest {
    private static final StackTraceElement OWN = at(ProgramFramesTest.class.getName());
    private static final StackTraceElement IN_MEMORY = at("Main");
    private static final StackTraceElement LIBRARY = at("org.junit.jupiter.api.Assertions");
    private static final StackTraceElement OTHER_LIBRARY = at("org.assertj.core.api.Assertions");

    private static StackTraceElement at(String className) {
        return new StackTraceElement(className, "call", "File.java", 1);
    }

    @Test
    void framesOfLibraries_areCounted_thoseOfTheProgramShownFromTheOutside() {
        List<StackTraceElement> stack = List.of(LIBRARY, OTHER_LIBRARY, OTHER_LIBRARY, OWN, LIBRARY, IN_MEMORY);
        assertThat(ProgramFrames.shown(stack))
                .containsExactly(
                        IN_MEMORY.toString(), "... 1 of org.junit", OWN.toString(), "... 3 of org.assertj, org.junit");
        assertThat(ProgramFrames.innermost(stack)).isEqualTo(OWN);
    }

    @Test
    void stackOfALibraryAlone_isShown() {
        assertThat(ProgramFrames.shown(List.of(LIBRARY, OTHER_LIBRARY)))
                .containsExactly(OTHER_LIBRARY.toString(), LIBRARY.toString());
        assertThat(ProgramFrames.innermost(List.of(LIBRARY, OTHER_LIBRARY))).isEqualTo(LIBRARY);
    }

    @Test
    void deepStack_isShownAtBothEnds() {
        var stack = new ArrayList<StackTraceElement>();
        for (int i = 0; i < 20; i++) stack.add(at("Main" + i));
        assertThat(ProgramFrames.shown(stack))
                .hasSize(9)
                .startsWith(stack.get(19).toString(), stack.get(18).toString())
                .contains("... 12 more")
                .endsWith(stack.get(1).toString(), stack.get(0).toString());
    }
}
