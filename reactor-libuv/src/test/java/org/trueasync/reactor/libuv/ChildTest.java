package org.trueasync.reactor.libuv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ChildHandle;
import org.trueasync.spi.ChildHandle.Redirect;
import org.trueasync.testkit.TestLoop;

/**
 * Children of a loop without coroutines: their streams, their end, how systems without descriptors of processes see it.
 */
class ChildTest {
    @AfterEach
    void usual() {
        UvChild.withoutProcessDescriptors = false;
    }

    private static final class Ends implements ChildHandle.Listener {
        final List<String> ends = new ArrayList<>();

        @Override
        public void onExit(int status, int signal) {
            ends.add(status + " " + signal);
        }
    }

    private static ChildHandle.Spec shell(String script, TestLoop.Recorder output, TestLoop.Recorder error) {
        return new ChildHandle.Spec(
                Path.of("/bin/sh"),
                List.of("sh", "-c", script),
                Map.of("PATH", System.getenv("PATH")),
                null,
                Redirect.DISCARD,
                output == null ? Redirect.DISCARD : Redirect.PIPE,
                error == null ? Redirect.MERGE : Redirect.PIPE,
                null,
                output,
                error);
    }

    private static void childRuns(TestLoop<UvReactor> loop) {
        var output = new TestLoop.Recorder();
        var error = new TestLoop.Recorder();
        var ends = new Ends();
        ChildHandle child = loop.reactor.spawn(shell("echo out; echo err >&2; exit 3", output, error), ends);
        assertThat(child.input()).isNull();
        assertThat(child.output().startReading()).isNull();
        assertThat(child.error().startReading()).isNull();
        assertThat(child.output().tryWrite(TestLoop.bytes("x")).errno()).isEqualTo("EBADF");
        loop.until(() -> !ends.ends.isEmpty() && output.has("end") && error.has("end"));
        assertThat(ends.ends).containsExactly("3 0");
        assertThat(output.text).hasToString("out\n");
        assertThat(error.text).hasToString("err\n");
        assertThat(child.kill(9).errno()).isEqualTo("ESRCH");
        child.close();
        child.output().close();
        child.error().close();
        loop.until(() -> loop.reactor.openHandles() == 0);
    }

    @Test
    @Tag("E44")
    void childEnds_listenerIsToldOnce() {
        try (var loop = new TestLoop<>(new UvReactor())) {
            childRuns(loop);
        }
    }

    @Test
    @Tag("E44")
    void systemWithoutDescriptorsOfProcesses_aThreadWaits() {
        UvChild.withoutProcessDescriptors = true;
        try (var loop = new TestLoop<>(new UvReactor())) {
            for (int i = 0; i < 20; i++) childRuns(loop);
            var ends = new Ends();
            ChildHandle killed = loop.reactor.spawn(shell("exec sleep 1000", null, null), ends);
            assertThat(killed.kill(15)).isNull();
            loop.until(() -> !ends.ends.isEmpty());
            assertThat(ends.ends).containsExactly("143 15");
            killed.close();
            ChildHandle left = loop.reactor.spawn(shell("exec sleep 1000", null, null), ends);
            ProcessHandle process = ProcessHandle.of(left.pid()).orElseThrow();
            left.close();
            assertThat(left.kill(9).errno()).isEqualTo("ESRCH");
            process.destroyForcibly();
            process.onExit().join();
            loop.collect(3);
            assertThat(ends.ends).hasSize(1);
        }
    }

    @Test
    void programIsMissing_nothingIsLeft() {
        try (var loop = new TestLoop<>(new UvReactor())) {
            var spec = new ChildHandle.Spec(
                    Path.of("/no/such/program"),
                    List.of("x"),
                    null,
                    null,
                    Redirect.PIPE,
                    Redirect.PIPE,
                    Redirect.PIPE,
                    new TestLoop.Recorder(),
                    new TestLoop.Recorder(),
                    new TestLoop.Recorder());
            assertThatThrownBy(() -> loop.reactor.spawn(spec, new Ends()))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessage("start /no/such/program: ENOENT (no such file or directory)");
            loop.until(() -> loop.reactor.openHandles() == 0);
        }
    }

    @Test
    void argumentContainsNul_nativeMemoryIsFreed() {
        Arena arena = Arena.ofConfined();
        assertThatThrownBy(() -> new Spawning(shell("a\0b", null, null), arena))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NUL");
        assertThat(arena.scope().isAlive()).isFalse();
    }

    @Test
    void signalOutOfRange_isRefused() {
        try (var loop = new TestLoop<>(new UvReactor())) {
            ChildHandle child = loop.reactor.spawn(shell("exec sleep 1000", null, null), new Ends());
            for (int wrong : new int[] {0, -1, 65})
                assertThatThrownBy(() -> child.kill(wrong)).isInstanceOf(IllegalArgumentException.class);
            assertThat(child.kill(9)).isNull();
        }
    }

    @Test
    void systemsThatCantCloseInTheChild_markEachDescriptor(@org.junit.jupiter.api.io.TempDir Path folder)
            throws Exception {
        try (Arena arena = Arena.ofConfined();
                var file = new RandomAccessFile(folder.resolve("f").toFile(), "rw")) {
            MemorySegment errno = arena.allocate(SocketCalls.ERRNO_LAYOUT);
            file.write(1);
            for (Runnable mark :
                    List.<Runnable>of(() -> ProcessCalls.markEach(errno), () -> ProcessCalls.closeAllOnExec(errno))) {
                var two = arena.allocate(8, 8);
                assertThat(ProcessCalls.pipe(errno, two.address())).isGreaterThanOrEqualTo(0);
                int descriptor = NativeMemory.getInt(two.address());
                SocketCalls.keepOnExec(errno, descriptor);
                assertThat(flags(descriptor)).isZero();
                mark.run();
                assertThat(flags(descriptor)).isEqualTo(0x80000);
                Libc.close(descriptor);
                Libc.close(NativeMemory.getInt(two.address() + 4));
            }
        }
    }

    /** Only O_CLOEXEC of them. */
    private static int flags(int descriptor) {
        Path info = Path.of("/proc/self/fdinfo/" + descriptor);
        org.junit.jupiter.api.Assumptions.assumeTrue(Files.exists(info), "this system does not tell");
        try {
            for (String line : Files.readAllLines(info))
                if (line.startsWith("flags:"))
                    return Integer.parseInt(line.substring(6).strip(), 8) & 0x80000;
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("no flags");
    }
}
