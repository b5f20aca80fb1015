package org.trueasync.reactor.nio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.io.ChildProgram;

/**
 * Each call of the JDK's selectors, sockets and files fails, with each error that the manuals of the calls below name
 * ({@link FaultyCalls}). Either nobody notices, or the caller gets an exception that names the operation and the error;
 * nothing is left open, and the loop goes on.
 */
class EveryChannelCallFailsTest {
    private static void run(String what) throws Exception {
        String output = new ChildProgram()
                .options(
                        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                        "-Djava.nio.channels.spi.SelectorProvider=" + FaultySelectors.class.getName())
                .run(ChannelFaultRun.class, what);
        assertThat(output).doesNotContain("WRONG", "HUNG").endsWith("end\nexit 0");
    }

    @Test
    void someCallsFail_callersAreToldAndTheLoopGoesOn() throws Exception {
        run("sample");
    }

    @Test
    @Tag("deep")
    void everyCallFailsInEveryWay_callersAreToldAndTheLoopGoesOn() throws Exception {
        run("whole");
    }
}
