package org.trueasync.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E42")
class StackTextTest {
    private static StackTraceElement frame(String place) {
        int dot = place.lastIndexOf('.');
        return new StackTraceElement(place.substring(0, dot), place.substring(dot + 1), "File.java", 7);
    }

    private static List<String> folded(String... places) {
        return StackText.folded(
                        List.of(places).stream().map(StackTextTest::frame).toList())
                .lines()
                .map(String::strip)
                .toList();
    }

    @Test
    void framesOfTheJdkAtTheTop_areFoldedBetweenTheInnermostAndTheCall() {
        assertThat(folded("java.io.A.a", "java.io.A.b", "java.io.A.c", "java.io.A.d", "app.Main.load", "app.Main.main"))
                .containsExactly(
                        "at java.io.A.a(File.java:7)",
                        "... 2 of the JDK or TrueAsync",
                        "at java.io.A.d(File.java:7)",
                        "at app.Main.load(File.java:7)",
                        "at app.Main.main(File.java:7)");
    }

    @Test
    void fewFramesOfTheJdk_areShown() {
        assertThat(folded("java.io.A.a", "java.io.A.b", "java.io.A.c", "app.Main.main"))
                .hasSize(4)
                .noneMatch(line -> line.startsWith("..."));
        assertThat(folded("app.Main.load", "java.util.A.each", "app.Main.main"))
                .hasSize(3)
                .noneMatch(line -> line.startsWith("..."));
    }

    @Test
    void framesOfTheJdkBetweenThoseOfTheProgram_areCounted() {
        assertThat(folded(
                        "app.Main.each",
                        "java.util.A.a",
                        "java.util.A.b",
                        "org.trueasync.Async.spawn",
                        "app.Main.main"))
                .containsExactly(
                        "at app.Main.each(File.java:7)",
                        "... 3 of the JDK or TrueAsync",
                        "at app.Main.main(File.java:7)");
    }

    @Test
    void deepStack_isCut() {
        var places = new ArrayList<String>();
        for (int i = 0; i < 200; i++) places.add("app.Main.deep" + i);
        assertThat(folded(places.toArray(String[]::new)))
                .hasSize(17)
                .endsWith("at app.Main.deep15(File.java:7)", "... 184 more");
    }

    @Test
    void stackWithoutTheProgram_isShownToo() {
        assertThat(folded("java.util.A.a", "java.util.A.b")).hasSize(2);
    }
}
