package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.runClean;

import org.junit.jupiter.api.Test;
import org.trueasync.AsyncException;
import org.trueasync.Cores;

class CoresTest extends CoresConformance {
    @Test
    void pinned_isRefusedBeforeAnythingBegins() {
        runClean(
                () -> assertThatThrownBy(() -> Cores.builder().count(2).pinned().run(() -> {
                            throw new IllegalStateException("has begun");
                        }))
                        .isInstanceOf(AsyncException.class)
                        .hasMessageMatching("pinned: this reactor, nio, JDK .*, can't keep its thread on one processor;"
                                + " take the reactor libuv on Linux, or leave out pinned\\(\\)"));
    }
}
