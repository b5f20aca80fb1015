package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/**
 * What the loop's frame needs when JDK code has parked a coroutine is loaded before. That coroutine may be next in line
 * for a lock that loading a class takes, such as the one of the JDK's cleaner: then a frame that loads a class waits
 * for it, and nobody is left to mount it.
 */
class LoadedAheadTest {
    private static final String PROGRAM = """
            import static org.trueasync.Async.*;
            import java.util.concurrent.locks.ReentrantLock;

            public class Parks {
                static class Begins {}

                public static void main(String[] arguments) throws Throwable {
                    new Begins();
                    var lock = new ReentrantLock();
                    lock.lock();
                    var waits = spawn(() -> {
                        lock.lock();
                        lock.unlock();
                    });
                    suspend();
                    Thread.sleep(5);
                    lock.unlock();
                    await(waits);
                    var executor = executor();
                    Thread.startVirtualThread(() -> executor.execute(() -> {})).join();
                    var outside = new Thread(() -> executor.execute(() -> {}));
                    outside.start();
                    outside.join();
                    delay(1);
                }
            }
            """;

    @TempDir
    Path directory;

    @Test
    void coroutineParkedByJdkCode_loadsNoClassOfTheKernelInTheFrame() throws Exception {
        LauncherProcess.write(directory, "Parks.java", PROGRAM);
        LauncherProcess.compile(directory, "Parks.java");
        List<String> flags = LauncherProcess.flagsAnd("-Xlog:class+load:stdout:tags");
        Result result = LauncherProcess.run(directory, flags, "run", "-cp", directory.toString(), "Parks");
        assertThat(result.status()).as(result.err()).isZero();
        List<String> loaded = result.out().lines().toList();
        int begin = loaded.stream()
                .filter(line -> line.contains("Parks$Begins"))
                .findFirst()
                .map(loaded::indexOf)
                .orElseThrow();
        assertThat(loaded.subList(begin, loaded.size()))
                .noneMatch(
                        line -> line.matches(
                                ".*org[.]trueasync[.]internal[.](foreign|kernel|queue)[.](JdkWait|TimedPark|RemoteQueue([$][A-Z]\\w+)?|Inbox|LibraryThreads) source.*"))
                .noneMatch(line -> line.contains("FieldAccessor"));
    }
}
