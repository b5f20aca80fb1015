package org.trueasync.internal.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Errors before the kernel has been loaded. */
class NoHostTest {
    private final NoHost host = new NoHost();

    @Test
    void twoErrorsOfWhichOneRefuses_areBothTold() {
        var first = new IOException("no such file");
        var next = new IllegalStateException("already closed");
        assertThat(host.both(first, next))
                .hasMessage(
                        "2 errors: java.io.IOException: no such file, java.lang.IllegalStateException: already closed")
                .hasCause(first)
                .hasSuppressedException(next);
    }

    @Test
    void asking_stopsNobodyFromWaiting() {
        assertThat(host.refuseWaits()).isNull();
    }
}
