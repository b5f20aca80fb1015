package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trueasync.Async;
import org.trueasync.Body;

/** What a process holds; must not grow. */
final class Resources {
    private static final int ROUNDS = 10_000;
    private static final Pattern POLLED = Pattern.compile("tfd:\\s*\\d+ events:\\s*(\\p{XDigit}+)");

    private Resources() {}

    /**
     * Does something ten thousand times, in a coroutine, and looks that descriptors, native handles and native memory
     * stay as they are.
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
        for (int i = 0; i < 100 && Async.runtimeStats().reactorHandles() > 0; i++) Async.delay(1);
    }

    /** Open ones; 0 where the system does not tell. */
    static int descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }

    /** One that was to be told of once, and was, stays with no events left. */
    private static boolean isArmed(String line) {
        Matcher entry = POLLED.matcher(line);
        return entry.lookingAt() && (Integer.parseUnsignedInt(entry.group(1), 16) & 0xFFFF) != 0;
    }

    /**
     * Those that some epoll instance of this process watches, each as often as it is watched; 0 where the system does
     * not tell.
     */
    static int polledDescriptors() {
        int polled = 0;
        String[] open = new File("/proc/self/fdinfo").list();
        if (open == null) return 0;
        for (String descriptor : open) {
            try {
                for (String line : Files.readAllLines(Path.of("/proc/self/fdinfo", descriptor)))
                    if (isArmed(line)) polled++;
            } catch (IOException e) {
                // closed meanwhile
            }
        }
        return polled;
    }
}
