package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A coroutine, and a virtual thread that is started in a run, do what a virtual thread of the JDK does: each program of
 * {@link ThreadPrograms} tells the same story in all three.
 */
public abstract class VirtualThreadConformance {
    private final TestRun run;

    protected VirtualThreadConformance(ReactorKit kit) {
        this.run = new TestRun(kit::create);
    }

    static Stream<ThreadPrograms.Program> programs() {
        return ThreadPrograms.all();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void program_tellsTheSameInACoroutine(ThreadPrograms.Program program) throws Exception {
        String ofTheJdk = onAVirtualThread(program);
        assertThat(run.call(program::tell)).isEqualTo(ofTheJdk);
        assertThat(run.call(() -> onAVirtualThread(program))).isEqualTo(ofTheJdk);
    }

    private static String onAVirtualThread(ThreadPrograms.Program program) throws Exception {
        var story = new CompletableFuture<String>();
        Thread thread = Thread.startVirtualThread(() -> story.complete(program.tell()));
        thread.join();
        return story.get();
    }
}
