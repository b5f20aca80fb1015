package org.trueasync.reactor.libuv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each call of the system and of libuv fails, with each error that its manual names ({@link Manual}). Either nobody
 * notices, or the caller gets an exception that names the operation and the error; nothing is left open, and the loop
 * goes on.
 */
class EveryNativeCallFailsTest {
    private static final List<String> IN_A_TERMINAL =
            List.of("bash", "-c", "SHELL=/bin/bash exec script -qec \"$(printf '%q ' \"$@\")\" /dev/null", "bash");

    @BeforeEach
    void requireLinux() {
        assumeFalse(Platform.MAC, "the table has Linux's numbers");
    }

    private static void run(List<String> before, String what) throws Exception {
        String output = ChildJvm.run(
                before,
                List.of(ChildJvm.ACCESS, "-ea", "--add-opens", "java.base/java.lang=ALL-UNNAMED"),
                NativeFaultRun.class,
                what);
        assertThat(output.replace("\r", "")).doesNotContain("WRONG", "HUNG").endsWith("end\nexit 0");
    }

    @Test
    void someCallsFail_callersAreToldAndTheLoopGoesOn() throws Exception {
        run(List.of(), "sample");
    }

    @Test
    @Tag("deep")
    void everyCallFailsInEveryWay_callersAreToldAndTheLoopGoesOn() throws Exception {
        run(List.of(), "whole");
    }

    @Test
    @Tag("deep")
    void callsOfTerminalsFail_callersAreToldAndTheLoopGoesOn() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "script(1) is not installed");
        run(IN_A_TERMINAL, "terminal");
    }
}
