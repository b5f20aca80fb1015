package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** The streams of a {@code java.lang.Process}, with real children. */
@Tag("E42")
class ProcessStreamsTest {
    private static Process sh(String script) throws IOException {
        return new ProcessBuilder("/bin/sh", "-c", script).start();
    }

    @Test
    void childThatAnswersLate_holdsOnlyItsReader() {
        TestRuntime.run(() -> {
            Process child = sh("read line; echo \"got $line\"; read line; echo \"and $line\" >&2");
            BufferedReader out = child.inputReader();
            BufferedReader err = child.errorReader();
            BufferedWriter in = child.outputWriter();
            Coroutine<String> reader = spawn(() -> out.readLine() + " " + err.readLine());
            for (int i = 0; i < 20; i++) suspend();
            assertThat(reader.isSuspended()).isTrue();
            in.write("one\n");
            in.flush();
            in.write("two\n");
            in.flush();
            assertThat(await(reader)).isEqualTo("got one and two");
            assertThat(child.waitFor()).isZero();
        });
    }

    @Test
    void moreThanAPipeHolds_goesThroughAChildBothWays() {
        TestRuntime.run(() -> {
            Process cat = new ProcessBuilder("cat").start();
            spawn(() -> {
                try (OutputStream in = cat.getOutputStream()) {
                    in.write(new byte[3_000_000]);
                }
            });
            assertThat(cat.getInputStream().readAllBytes()).hasSize(3_000_000);
            assertThat(cat.waitFor()).isZero();
        });
    }

    @Test
    void outputOfAChildThatHasEnded_isAllThere() {
        TestRuntime.run(() -> {
            for (int i = 0; i < 20; i++) {
                Process child = sh("echo out; echo err >&2");
                assertThat(child.waitFor()).isZero();
                assertThat(child.inputReader().readLine()).isEqualTo("out");
                assertThat(child.errorReader().readLine()).isEqualTo("err");
                assertThat(child.getInputStream().read()).isEqualTo(-1);
            }
        });
    }

    @Test
    @Tag("F35")
    @Tag("F36")
    void cancelledReader_leavesAtOnceAndLosesNothing() {
        TestRuntime.run(() -> {
            Process child = sh("read line; echo \"$line\"");
            InputStream out = child.getInputStream();
            Coroutine<Integer> reader = spawn(() -> out.read());
            for (int i = 0; i < 5; i++) suspend();
            reader.cancel();
            assertThatThrownBy(() -> await(reader)).isInstanceOf(AsyncCancellation.class);
            try (var in = child.outputWriter()) {
                in.write("kept\n");
            }
            assertThat(child.waitFor()).isZero();
            assertThat(new String(out.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("kept\n");
        });
    }

    @Test
    void closedWhileACoroutineReads_readerGetsAnError() {
        TestRuntime.run(() -> {
            Process child = sh("read line");
            InputStream out = child.getInputStream();
            Coroutine<Integer> reader = spawn(() -> out.read());
            for (int i = 0; i < 5; i++) suspend();
            out.close();
            assertThatThrownBy(() -> await(reader)).hasRootCauseMessage("Stream closed");
            child.getOutputStream().close();
            child.waitFor();
        });
    }

    @Test
    @Tag("deep")
    void pipeThatAGrandchildKeepsOpen_canBeClosedAfterACancelledRead() {
        TestRuntime.run(() -> {
            // The child stays until the reader is cancelled: when it ends, the JDK ends its output too.
            Process child = sh("sleep 100 & echo $!; read line");
            BufferedReader out = child.inputReader();
            long grandchild = Long.parseLong(out.readLine());
            Coroutine<String> reader = spawn(() -> out.readLine());
            for (int i = 0; i < 5; i++) suspend();
            reader.cancel();
            assertThatThrownBy(() -> await(reader)).isInstanceOf(AsyncCancellation.class);
            child.outputWriter().close();
            child.waitFor();
            child.getInputStream().close();
            ProcessHandle.of(grandchild).ifPresent(ProcessHandle::destroyForcibly);
        });
    }

    @Test
    void childThatDoesNotListen_isAWritersError() {
        TestRuntime.run(() -> {
            Process child = sh("exec 0<&-; echo ready; sleep 100");
            assertThat(child.inputReader().readLine()).isEqualTo("ready");
            OutputStream in = child.getOutputStream();
            assertThatThrownBy(() -> {
                        in.write(new byte[100_000]);
                        in.flush();
                    })
                    .isInstanceOf(IOException.class);
            child.destroyForcibly().waitFor();
        });
    }

    @Test
    void redirectedStreamsAndPipelines_areAsBefore() {
        TestRuntime.run(() -> {
            Process quiet = new ProcessBuilder("echo", "x")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(quiet.getInputStream().read()).isEqualTo(-1);
            List<Process> line = ProcessBuilder.startPipeline(List.of(
                    new ProcessBuilder("echo", "a b").redirectInput(new File("/dev/null")),
                    new ProcessBuilder("tr", "a-z", "A-Z")));
            assertThat(line.getLast().inputReader().readLine()).isEqualTo("A B");
        });
    }

    @Test
    void processOfAnotherThread_isReadInACoroutineToo() throws Exception {
        TestRuntime.run(() -> {});
        Process child = sh("read line; echo \"$line\"");
        TestRuntime.run(() -> {
            Coroutine<String> reader = spawn(() -> child.inputReader().readLine());
            for (int i = 0; i < 5; i++) suspend();
            assertThat(reader.isSuspended()).isTrue();
            try (var in = child.outputWriter()) {
                in.write("x\n");
            }
            assertThat(await(reader)).isEqualTo("x");
        });
    }

    @Test
    void otherThreads_useThemAsBefore() throws Exception {
        TestRuntime.run(() -> {});
        Process cat = new ProcessBuilder("cat").start();
        try (var in = cat.outputWriter()) {
            in.write("plain\n");
        }
        assertThat(cat.inputReader().readLine()).isEqualTo("plain");
        assertThat(cat.waitFor()).isZero();
    }

    @Test
    @Tag("deep")
    void manyChildren_leaveNoDescriptorOpen() {
        TestRuntime.run(() -> {
            children(20);
            long before = descriptors();
            children(200);
            assertThat(descriptors()).isLessThan(before + 20);
        });
    }

    private static void children(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            Process child = new ProcessBuilder("/bin/true").start();
            assertThat(child.getInputStream().read()).isEqualTo(-1);
            child.waitFor();
            child.onExit().get();
        }
    }

    private static long descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }
}
