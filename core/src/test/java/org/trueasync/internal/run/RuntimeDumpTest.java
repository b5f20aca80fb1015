package org.trueasync.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.spawn;

import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.internal.testkit.TestRuntime;

/** A dump where no module of diagnostics is there. */
class RuntimeDumpTest {
    @Test
    void withoutDiagnostics_aDumpHasTheCountsAndNamesTheModule() {
        assertThat(Observers.ALL).isEmpty();
        TestRuntime.run(() -> {
            spawn(() -> {});
            assertThat(Async.dump())
                    .startsWith("Runtime 'test': RuntimeStats[coroutines=2, ")
                    .endsWith("\n(add trueasync-diagnostics to see its coroutines)");
        });
    }

    @Test
    void withoutARuntime_aDumpSaysSo() {
        assertThat(RuntimeDump.of("gone", null)).isEqualTo("Runtime 'gone' does not run");
    }
}
