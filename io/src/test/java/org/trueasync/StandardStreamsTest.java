package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.VirtualReactor;

/** The standard streams are the process's: a run replaces them only if it is asked to. */
class StandardStreamsTest {
    private final InputStream in = System.in;
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;

    @AfterEach
    void putBack() {
        System.setIn(in);
        System.setOut(out);
        System.setErr(err);
    }

    private static AsyncRuntime.Builder runtime() {
        return Async.runtime().reactor(VirtualReactor::new);
    }

    @Test
    void library_leavesThemAlone() {
        runtime().run(() -> {
            assertThat(System.in).isSameAs(in);
            assertThat(System.out).isSameAs(out);
            assertThat(System.err).isSameAs(err);
        });
        assertThat(System.out).isSameAs(out);
    }

    @Test
    void asked_theyAreReplaced() {
        runtime().standardStreams(true).run(() -> assertThat(System.in).isNotSameAs(in));
    }

    /** A capture is asked for by its call, and needs no replacement before. */
    @Test
    void captured_withoutReplacement() {
        runtime().run(() -> {
            String printed = Output.capture(() -> System.out.print("captured"));
            assertThat(printed).isEqualTo("captured");
        });
    }
}
