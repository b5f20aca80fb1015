package org.trueasync.reactor.libuv;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ChildHandle;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** A child process: a {@code uv_poll_t} on something that becomes readable when it ends. */
final class UvChild extends UvHandle implements ChildHandle {
    /*
     * Not uv_spawn: that forks, and a fork of a JVM copies its page tables while the loop waits, 30 to 80 ms where
     * posix_spawn takes 1 ms. Its uv_process_t also needs a handler of SIGCHLD, which the JDK removes when its class
     * for processes is initialised. So we watch a descriptor of the process (pidfd). On systems without that, a thread
     * waits for the child's end, leaves it unreaped, and closes a pipe.
     *
     * While this handle is open, its child is reaped only here, on the loop thread, by its own number. Until then no
     * other process has that number, so a signal reaches the right one. No other children of this process are touched.
     */
    private static final int UNKNOWN = -1;

    /** For tests: behaves as on systems without descriptors of processes. */
    static volatile boolean withoutProcessDescriptors;

    static {
        // If SIGCHLD is ignored, as some parents leave it, the system reaps children by itself, and their status is
        // lost. The JDK corrects that when this class is initialised.
        try {
            Class.forName("java.lang.ProcessImpl", true, null);
        } catch (ClassNotFoundException | LinkageError e) {
            // a JDK without this class; then SIGCHLD stays as it is
        }
    }

    private final Listener listener;
    private int pid;
    private int watched = -1;
    private @Nullable UvStream input;
    private @Nullable UvStream output;
    private @Nullable UvStream error;
    private boolean ended;

    private UvChild(UvReactor reactor, Listener listener) {
        super(reactor, UvLayouts.POLL_SIZE);
        this.listener = listener;
    }

    static UvChild spawn(UvReactor reactor, Spec spec, Listener listener) {
        try (var spawning = new Spawning(spec);
                var pipes = new Pipes(reactor, spec)) {
            UvStream input = connect(spawning, pipes, 0, spec.inputFrom(), spec.input());
            UvStream output = connect(spawning, pipes, 1, spec.outputTo(), spec.output());
            UvStream error = null;
            if (spec.errorTo() == Redirect.MERGE) spawning.inherit(2, 1);
            else error = connect(spawning, pipes, 2, spec.errorTo(), spec.error());
            UvChild child = new UvChild(reactor, listener);
            child.start(spawning, pipes, spec);
            child.input = input;
            child.output = output;
            child.error = error;
            return child;
        }
    }

    private static @Nullable UvStream connect(
            Spawning spawning,
            Pipes pipes,
            int number,
            Redirect where,
            StreamHandle.@Nullable Listener streamListener) {
        switch (where) {
            case PIPE -> {
                Objects.requireNonNull(streamListener, "a redirect to a pipe needs a listener");
                UvStream ours = pipes.open(number, streamListener);
                spawning.inherit(number, pipes.childEnd(number));
                return ours;
            }
            case INHERIT -> spawning.inherit(number, number);
            case DISCARD -> spawning.discard(number);
            case MERGE -> throw new IllegalArgumentException("only errors can be merged");
        }
        return null;
    }

    private void start(Spawning spawning, Pipes pipes, Spec spec) {
        int started = spawning.start(reactor);
        if (started < 0) {
            discard();
            throw refused(spec, started);
        }
        pid = started;
        pipes.closeChildEnds(); // also frees descriptors for what follows
        int status = watch();
        if (status < 0) {
            // the child runs, but its end could not be seen
            Uv.kill(pid, Platform.SIGKILL);
            Orphans.reap(pid);
            throw refused(spec, status);
        }
        pipes.keep();
    }

    private int watch() {
        watched = watchable();
        int status = watched < 0 ? watched : Uv.pollInit(reactor.loop, address, watched);
        if (status < 0) {
            discard();
            if (watched >= 0) Libc.close(watched);
            return status;
        }
        opened();
        status = Uv.pollStart(address, PollHandle.READABLE, Upcalls.POLLED);
        if (status < 0) {
            ended = true; // the caller reaps it
            close();
        }
        return status;
    }

    private int watchable() {
        int process = withoutProcessDescriptors ? -Platform.ENOSYS : ProcessCalls.openProcess(reactor.errno(), pid);
        if (process >= 0 || process == -Platform.EMFILE || process == -Platform.ENFILE) return process;
        long both = reactor.pipe();
        int toRead = (int) both;
        int toWrite = (int) (both >>> 32);
        if (toWrite < 0) return toWrite;
        if (Orphans.closeAtEnd(pid, toWrite)) return toRead;
        Libc.close(toRead);
        Libc.close(toWrite);
        return -Platform.EAGAIN;
    }

    private static InputOutputException refused(Spec spec, int status) {
        SystemError error = UvErrors.of(status);
        String hint =
                switch (error.errno()) {
                    case "E2BIG" ->
                        "; arguments and environment are longer than the system allows, see getconf ARG_MAX";
                    case "EAGAIN" -> "; the user has used up the processes, see ulimit -u";
                    default -> UvErrors.hint(error);
                };
        return new InputOutputException("start " + spec.program() + ": " + error + hint, error.errno());
    }

    // ---- its end

    @Override
    void polled(int status, int events) {
        if (isClosed() || ended) return;
        long reaped = reactor.reap(pid);
        if (reaped == 0) return;
        ended = true;
        Uv.pollStop(address);
        if (reaped < 0) {
            listener.onExit(UNKNOWN, 0); // other code of this process has reaped it
            return;
        }
        int how = (int) (reaped >>> 32);
        int signal = how & 0x7f;
        listener.onExit(signal == 0 ? how >>> 8 & 0xff : 128 + signal, signal);
    }

    @Override
    public @Nullable SystemError kill(int number) {
        reactor.requireLoopThread("kill");
        if (number < 1 || number > 64) throw new IllegalArgumentException("signal must be 1 to 64, got " + number);
        if (ended || isClosed()) return UvErrors.of(-Platform.ESRCH);
        return UvErrors.orNull(Uv.kill(pid, number));
    }

    @Override
    public void close() {
        if (isClosed()) return;
        super.close();
        Libc.close(watched); // uv_close has taken it out of epoll already
        if (!ended) Orphans.reap(pid);
    }

    // ---- about it

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public @Nullable StreamHandle input() {
        return input;
    }

    @Override
    public @Nullable StreamHandle output() {
        return output;
    }

    @Override
    public @Nullable StreamHandle error() {
        return error;
    }

    @Override
    public String toString() {
        return "child process " + pid + (ended ? ", ended" : isClosed() ? ", closed" : "");
    }

    /** The pipes of one child while it is being started: if the start fails, all ends are closed. */
    private static final class Pipes implements AutoCloseable {
        private static final String[] NAMES = {"input", "output", "errors"};

        private final UvReactor reactor;
        private final Spec spec;
        private final int[] childEnds = {-1, -1, -1};
        private final @Nullable UvStream[] ours = new UvStream[3];

        Pipes(UvReactor reactor, Spec spec) {
            this.reactor = reactor;
            this.spec = spec;
        }

        UvStream open(int number, StreamHandle.Listener listener) {
            long both = reactor.pipe();
            int toRead = (int) both;
            int toWrite = (int) (both >>> 32);
            if (toWrite < 0) throw refused(spec, toWrite);
            boolean weWrite = number == 0;
            childEnds[number] = weWrite ? toRead : toWrite;
            UvStream stream = UvPipe.open(
                    reactor,
                    weWrite ? toWrite : toRead,
                    !weWrite,
                    weWrite,
                    "open a pipe to",
                    "the " + NAMES[number] + " of " + spec.program(),
                    listener);
            ours[number] = stream;
            moveAboveStandardStreams(number);
            return stream;
        }

        /**
         * If our own standard streams are closed, the pipe may have got one of their numbers; in the child it would be
         * overwritten.
         */
        private void moveAboveStandardStreams(int number) {
            int low = childEnds[number];
            if (low > 2) return;
            int moved = SocketCalls.duplicateFrom(reactor.errno(), low, 3);
            if (moved < 0) throw refused(spec, moved);
            Libc.close(low);
            childEnds[number] = moved;
        }

        int childEnd(int number) {
            return childEnds[number];
        }

        /** Closes the child's ends here, because the child has them now, or was not started. */
        void closeChildEnds() {
            for (int i = 0; i < childEnds.length; i++) {
                if (childEnds[i] >= 0) Libc.close(childEnds[i]);
                childEnds[i] = -1;
            }
        }

        /** Keeps our ends open: they belong to the child's handle now. */
        void keep() {
            Arrays.fill(ours, null);
        }

        @Override
        public void close() {
            closeChildEnds();
            for (UvStream stream : ours) if (stream != null) stream.abandon();
        }
    }
}
