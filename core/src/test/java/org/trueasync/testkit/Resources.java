package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.spi.SchedulerProvider;

/** What a process holds; must not grow. */
final class Resources {
    private static final int ROUNDS = 10_000;

    private Resources() {}

    /**
     * Does something ten thousand times, in a coroutine, and looks that descriptors, native handles and native memory stay as they are.
     *
     * @param kit whose native memory
     * @param round closes what it opens
     */
    static void requireFlat(ReactorKit kit, Body round) throws Throwable {
        for (int i = 0; i < 100; i++) round.run();
        settle();
        int descriptors = descriptors();
        long blocks = kit.nativeBlocks();
        for (int i = 0; i < ROUNDS; i++) round.run();
        settle();
        assertThat(descriptors()).as("descriptors").isLessThanOrEqualTo(descriptors + 2);
        assertThat(kit.nativeBlocks()).as("native blocks").isLessThanOrEqualTo(blocks);
    }

    /** Closing takes a turn. */
    private static void settle() {
        for (int i = 0; i < 100 && SchedulerProvider.get().reactor().openHandles() > 0; i++) Async.delay(1);
    }

    /** Open ones; 0 where the system does not tell. */
    static int descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }

    /** Those that some epoll instance of this process watches, each as often as it is watched; 0 where the system does not tell. */
    static int polledDescriptors() {
        int polled = 0;
        String[] open = new File("/proc/self/fdinfo").list();
        if (open == null) return 0;
        for (String descriptor : open) {
            try {
                for (String line : Files.readAllLines(Path.of("/proc/self/fdinfo", descriptor)))
                    if (line.startsWith("tfd:")) polled++;
            } catch (IOException e) {
                // closed meanwhile
            }
        }
        return polled;
    }
}
