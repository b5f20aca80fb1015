package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.jdk.VirtualThreads;

/** A mount that fails leaves the loop thread what it is. */
@Tag("K67")
class FailedThawTest {
    @Test
    void wayInFails_theLoopThreadIsItself() throws InterruptedException {
        assertThat(seenAfter(virtual -> VirtualThreads.thaw(virtual, "no continuation", Thread.currentThread())))
                .hasSize(2)
                .element(0)
                .isInstanceOf(ClassCastException.class);
    }

    private interface Step {
        void of(Thread virtual);
    }

    /** What it threw, and whom the thread takes itself for; on a thread of its own, as it may stay broken. */
    private static List<Object> seenAfter(Step step) throws InterruptedException {
        var seen = new ArrayList<Object>();
        Thread loop = Thread.ofPlatform().start(() -> {
            Thread virtual = VirtualThreads.create(Runnable::run, () -> {}, false);
            VirtualThreads.adopt(virtual);
            seen.add(catchThrowable(() -> step.of(virtual)));
            if (!Thread.currentThread().isVirtual()) seen.add("itself");
        });
        loop.join();
        return seen;
    }
}
