package org.trueasync.reactor.libuv;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncException;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;
import org.trueasync.testkit.TestLoop;
import org.trueasync.testkit.TestLoop.Recorder;

class DescriptorsExhaustedTest {
    /** Uses descriptors up while connections wait, then gives them back; runs under a limit of 64. */
    static final class Main {
        private static int told;
        private static int refused;

        private Main() {}

        public static void main(String[] arguments) throws Exception {
            TestLoop<UvReactor> loop = new TestLoop<>(new UvReactor());
            List<Recorder> accepted = new ArrayList<>();
            ListenHandle[] handle = new ListenHandle[1];
            handle[0] = loop.reactor.listen(
                    TestLoop.loopback(0), ListenHandle.Options.DEFAULT, new ListenHandle.Listener() {
                        @Override
                        public void onConnection() {
                            told++;
                            try {
                                while (true) {
                                    Recorder recorder = new Recorder();
                                    recorder.stream = (TcpHandle) handle[0].accept(recorder);
                                    if (recorder.stream == null) return;
                                    recorder.stream.startReading();
                                    accepted.add(recorder);
                                }
                            } catch (InputOutputException e) {
                                if (refused++ == 0)
                                    System.out.println(e.getMessage().replaceAll("127.0.0.1:\\d+", "ADDRESS"));
                            }
                        }

                        @Override
                        public void onError(SystemError error) {
                            System.out.println("listener error " + error);
                        }
                    });
            // Warm up what the JDK itself opens descriptors for.
            SocketChannel first = SocketChannel.open(handle[0].localAddress());
            loop.until(() -> accepted.size() == 1);
            List<SocketChannel> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) clients.add(SocketChannel.open(handle[0].localAddress()));
            List<Integer> hoard = new ArrayList<>();
            for (int copy; (copy = SocketCalls.duplicate(loop.reactor.errno(), 0)) >= 0; ) hoard.add(copy);
            // Three wait in the backlog, no descriptor is left. The loop must not spin.
            long begin = System.nanoTime();
            int turns = loop.turns;
            loop.until(() -> refused == 3);
            long millis = (System.nanoTime() - begin) / 1_000_000;
            System.out.println("two pauses: " + (millis >= 150) + ", few turns: " + (loop.turns - turns < 40)
                    + ", accepted " + accepted.size());
            try {
                new UvReactor();
                System.out.println("made a loop");
            } catch (AsyncException e) {
                System.out.println(e.getMessage());
            }
            // Descriptors that are not ours come back: the listener finds out by itself.
            for (int copy : hoard.subList(0, 2)) Libc.close(copy);
            loop.until(() -> accepted.size() == 3);
            // One of ours comes back: at once. A pause is 100 ms, so that two of these would show.
            loop.until(() -> refused >= 1);
            accepted.getFirst().stream.close();
            loop.until(() -> accepted.size() == 4);
            clients.get(2).write(TestLoop.bytes("alive"));
            loop.until(() -> accepted.stream().anyMatch(a -> a.text.toString().equals("alive")));
            for (int copy : hoard.subList(2, hoard.size())) Libc.close(copy);
            System.out.println("all accepted");
            first.close();
            loop.close();
        }
    }

    /**
     * The first loop of a process is wanted when only one descriptor is left, and again when there are enough; runs
     * under a limit of 64.
     */
    static final class FirstLoop {
        private FirstLoop() {}

        public static void main(String[] arguments) {
            List<Integer> hoard = new ArrayList<>();
            for (int copy; (copy = Libc.duplicate(0)) >= 0; ) hoard.add(copy);
            Libc.close(hoard.removeLast());
            for (int i = 0; i < 3; i++) {
                try {
                    new UvReactor();
                    System.out.println("made a loop");
                } catch (AsyncException e) {
                    System.out.println(e.getMessage());
                }
            }
            System.out.println("dumps: " + new LibuvProvider().onThreadDump(() -> {}));
            int left = Libc.duplicate(0);
            System.out.println("one is left: " + (left >= 0 && Libc.duplicate(0) < 0));
            Libc.close(left);
            hoard.forEach(Libc::close);
            new TestLoop<>(new UvReactor()).close();
            System.out.println("made a loop");
        }
    }

    @Test
    @Tag("deep")
    void firstLoopWithoutDescriptors_isRefused() throws Exception {
        String output = ChildJvm.run(
                List.of("/bin/bash", "-c", "ulimit -n 64; exec \"$@\"", "bash"),
                List.of(ChildJvm.ACCESS),
                FirstLoop.class);
        String refused =
                "libuv can't make a loop: EMFILE (too many open files); the process has used up its descriptors, see ulimit -n\n";
        assertThat(output).isEqualTo(refused.repeat(3) + "dumps: null\none is left: true\nmade a loop\nexit 0");
    }

    @Test
    @Tag("deep")
    void descriptorsRunOut_connectionsWaitAndAreAcceptedLater() throws Exception {
        String output = ChildJvm.run(
                List.of("/bin/bash", "-c", "ulimit -n 64; exec \"$@\"", "bash"), List.of(ChildJvm.ACCESS), Main.class);
        assertThat(output).isEqualTo("""
                accept on ADDRESS: EMFILE (too many open files); the process has used up its descriptors, see ulimit -n
                two pauses: true, few turns: true, accepted 1
                libuv can't make a loop: EMFILE (too many open files); the process has used up its descriptors, see ulimit -n
                all accepted
                exit 0""");
    }
}
