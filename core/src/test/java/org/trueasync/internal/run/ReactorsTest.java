package org.trueasync.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncException;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.ReactorProvider;

/** Which of the installed reactors is taken. */
class ReactorsTest {
    private record Kind(String name, int priority, @Nullable String unavailableBecause) implements ReactorProvider {
        @Override
        public Reactor create() {
            return new VirtualReactor();
        }
    }

    private static final Kind GOOD = new Kind("good", 10, null);
    private static final Kind BROKEN = new Kind("broken", 20, "a library is missing");

    @Test
    void best_isTheFirstThatWorksAndSaysWhyNotTheOther() {
        var reasons = new ArrayList<String>();
        assertThat(Reactors.best(List.of(BROKEN, GOOD), reasons)).isSameAs(GOOD);
        assertThat(reasons).containsExactly("broken: a library is missing");
    }

    @Test
    @Tag("U30")
    void secondOneOfAName_isRefusedAndChangesNothing() {
        var same = new Kind("good", 5, null);
        for (List<ReactorProvider> known :
                List.<List<ReactorProvider>>of(List.of(GOOD, same), List.of(BROKEN, GOOD, same))) {
            assertThatThrownBy(() -> Reactors.named(known, "good"))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("Two reactors are named 'good'");
            assertThatThrownBy(() -> Reactors.best(known, new ArrayList<>()))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("reactor(factory)");
        }
        assertThat(Reactors.named(List.of(BROKEN, GOOD), "good")).isSameAs(GOOD);
    }

    @Test
    @Tag("U31")
    void whatIsNotThere_isNamed() {
        assertThatThrownBy(() -> Reactors.best(List.of(), new ArrayList<>()))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("No reactor is installed");
        assertThatThrownBy(() -> Reactors.best(List.of(BROKEN), new ArrayList<>()))
                .hasMessageContaining("a library is missing");
        assertThatThrownBy(() -> Reactors.named(List.of(GOOD), "better"))
                .hasMessageContaining("Unknown reactor 'better'; known: good");
        assertThatThrownBy(() -> Reactors.named(List.of(BROKEN), "broken")).hasMessageContaining("does not work here");
    }
}
