package org.trueasync.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E42")
class BusyPlacesTest {
    private final BusyPlaces places = new BusyPlaces();

    private static StackTraceElement frame(String place, int line) {
        int dot = place.lastIndexOf('.');
        return new StackTraceElement(place.substring(0, dot), place.substring(dot + 1), "File.java", line);
    }

    private void add(int count, String method) {
        for (int i = 0; i < count; i++)
            places.add(List.of(frame("java.util.Arrays.fill", 1), frame(method, i), frame("app.Handler.handle", 7)));
    }

    @Test
    void places_areShownByShare_withTheCallsAround() {
        add(6, "app.Hash.encipher");
        add(3, "app.Json.write");
        places.add(List.of());
        assertThat(places.text().lines())
                .containsExactly(
                        "    60 %  app.Hash.encipher(File.java:5) < app.Handler.handle(File.java:7)",
                        "    30 %  app.Json.write(File.java:2) < app.Handler.handle(File.java:7)",
                        "    10 %  turns too short to see");
    }

    @Test
    void stackWithoutTheProgram_isShownByItsInnermostFrame() {
        places.add(List.of(frame("java.util.Arrays.fill", 1), frame("java.lang.Thread.run", 2)));
        assertThat(places.text()).isEqualTo("    100 %  java.util.Arrays.fill(File.java:1)");
    }

    /** Most of its packages begin with java, but not all. */
    @Test
    void computingInAModuleOfTheJdk_countsForItsCaller() {
        var mac = new StackTraceElement(null, "java.base", "25", "javax.crypto.Mac", "doFinal", "Mac.java", 3);
        places.add(List.of(mac, frame("app.Hash.encipher", 4)));
        assertThat(places.text()).isEqualTo("    100 %  app.Hash.encipher(File.java:4)");
    }

    @Test
    void fewSamples_nameNoPlaces() {
        add(4, "app.Hash.encipher");
        assertThat(places.areKnown()).isFalse();
        add(1, "app.Hash.encipher");
        assertThat(places.areKnown()).isTrue();
        places.clear();
        assertThat(places.areKnown()).isFalse();
        assertThat(places.text()).isEmpty();
    }

    @Test
    void olderSamples_countLess() {
        add(1_000, "app.Start.load");
        add(2 * BusyPlaces.WINDOW, "app.Hash.encipher");
        assertThat(places.text().lines().findFirst().orElseThrow()).contains("app.Hash.encipher");
        assertThat(places.text().lines().count()).isLessThanOrEqualTo(2);
    }

    @Test
    void manyPlaces_stayBounded() {
        for (int i = 0; i < BusyPlaces.MAX_PLACES + 20; i++) add(1, "app.Hash.method" + i);
        add(10, "app.Hash.last");
        assertThat(places.text()).doesNotContain("app.Hash.last");
        add(BusyPlaces.WINDOW, "app.Hash.last");
        assertThat(places.text()).contains("app.Hash.last");
    }
}
