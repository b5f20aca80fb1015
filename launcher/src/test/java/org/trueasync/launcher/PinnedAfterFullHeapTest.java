package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/** A heap that was full for a moment takes nothing away from those who come later. */
@Tag("deep")
class PinnedAfterFullHeapTest {
    private static final String PROGRAM = """
            import java.net.*;

            class Pins {
                static Object[] held;
                static Socket mine;

                static class Initialised {
                    static int read;

                    static {
                        try {
                            read = mine.getInputStream().read();
                        } catch (java.io.IOException e) {
                            throw new ExceptionInInitializerError(e);
                        }
                    }
                }

                static void fill() {
                    long end = System.nanoTime() + 200_000_000;
                    do {
                        for (int size : new int[] {1 << 20, 1 << 13, 1 << 6, 2}) {
                            try {
                                while (true) {
                                    Object[] next = new Object[size];
                                    next[0] = held;
                                    held = next;
                                }
                            } catch (OutOfMemoryError e) {
                                // smaller ones still fit
                            }
                        }
                    } while (System.nanoTime() < end);
                    held = null;
                }

                public static void main(String[] arguments) throws Exception {
                    var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    var other = new Socket(server.getInetAddress(), server.getLocalPort());
                    mine = server.accept();
                    mine.setSoTimeout(20);
                    try {
                        mine.getInputStream().read();
                    } catch (SocketTimeoutException e) {
                        // somebody has waited
                    }
                    mine.setSoTimeout(10_000);
                    fill();
                    Thread.ofPlatform().daemon().start(() -> {
                        try {
                            Thread.sleep(500);
                            other.getOutputStream().write(7);
                        } catch (Exception e) {
                            e.printStackTrace();
                        }
                    });
                    long began = System.nanoTime();
                    System.out.println("read " + Initialised.read);
                    // at the time limit the JDK looks by itself
                    System.out.println("in time: " + (System.nanoTime() - began < 8_000_000_000L));
                }
            }
            """;

    @TempDir
    private Path directory;

    @Test
    void pinnedReader_getsItsData() throws Exception {
        LauncherProcess.write(directory, "Pins.java", PROGRAM);
        List<String> flags = LauncherProcess.flagsAnd("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        Result result = LauncherProcess.run(directory, flags, "run", "Pins.java");
        assertThat(result.out().lines()).as(result.err()).containsExactly("read 7", "in time: true");
        assertThat(result.status()).isZero();
    }
}
