package org.trueasync.examples;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.trueasync.Async;

/**
 * Runs compiled programs of the guide one after another, each as the main coroutine of a runtime of its own, as the
 * command does. Their timers come in the order of their times, also where the machine is busy.
 */
final class GuideRunner {
    private static final long STACK_BYTES = 16L << 20;

    /** As under the command: no program of the guide may be told off. */
    private static final Duration HELD_LOOP_AFTER = Duration.ofMillis(100);

    private GuideRunner() {}

    /**
     * Runs them; the names of those that have begun go to standard output.
     *
     * @param folders one for each program, with its class {@code Example}; its output goes to the files {@code out} and
     *     {@code err} in it
     */
    public static void main(String[] folders) throws Exception {
        PrintStream real = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
        for (String folder : folders) {
            real.println(folder);
            run(Path.of(folder));
            if (holdsItsLoop(Path.of(folder))) run(Path.of(folder));
        }
    }

    /**
     * The first time may be the machine's doing: it loads classes, which takes long on a slow one. What is the
     * program's own is seen again.
     */
    private static boolean holdsItsLoop(Path folder) throws IOException {
        return Files.readString(folder.resolve("err")).contains("Loop '");
    }

    private static void run(Path folder) throws Exception {
        try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
                var out = new PrintStream(folder.resolve("out").toFile());
                var err = new PrintStream(folder.resolve("err").toFile())) {
            System.setOut(out);
            System.setErr(err);
            Class<?> type = loader.loadClass("Example");
            Method main = type.getDeclaredMethod("main");
            main.setAccessible(true);
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            try {
                Async.runtime()
                        .stackSize(STACK_BYTES)
                        .spawnSites(true)
                        .heldLoopAfter(HELD_LOOP_AFTER)
                        .diagnostics(err::println)
                        .reactor(UnhurriedClock::best)
                        .run(() -> {
                            try {
                                main.invoke(constructor.newInstance());
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
            } catch (Throwable e) {
                err.println(e);
            }
        }
    }
}
