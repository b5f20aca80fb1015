package org.trueasync.reactor.libuv;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Tells the connections of a loop when there is something to read: an epoll instance of ours, which libuv watches.
 * Linux only; elsewhere libuv reads. Loop thread only.
 */
final class ReadySockets {
    /*
     * Registrations are edge-triggered and stay until the connection is closed. A ready one is reported once; from then
     * on the connection itself knows that it is ready, until it has taken everything.
     *
     * In one turn at most BATCH connections are read. The coroutines that wait for them run before the next ones are
     * read, while what belongs to these connections, also inside the system, is still in the processor's cache.
     */
    private static final int BATCH = 64;

    /** If this many were ready, the loop is busy: then there are probably more by the next turn. */
    private static final int BUSY = 4;

    /** On a busy loop, libuv runs at least in each n-th turn. */
    private static final int TURNS_WITH_LIBUV = 4;

    private static final int CLOEXEC = 0x80000;
    private static final int ADD = 1;
    private static final int REMOVE = 2;
    private static final int READABLE = 1;
    private static final int END_OF_INPUT = 0x2000;
    private static final int EDGE_TRIGGERED = 1 << 31;

    /** EPOLLERR, EPOLLHUP and EPOLLRDHUP: the end or an error is behind the bytes. */
    private static final int ENDED = 8 | 0x10 | END_OF_INPUT;

    /** {@code struct epoll_event}, events and a number of ours; packed on x86-64 only. */
    private static final boolean PACKED = System.getProperty("os.arch", "").equals("amd64");

    private static final int EVENT_SIZE = PACKED ? 12 : 16;
    private static final int SLOT = PACKED ? 4 : 8;

    /** Offset, behind the native handle, of a number that is 1 if libuv has reported the instance. */
    private static final long REPORTED = (UvLayouts.POLL_SIZE + 15) & -16;

    private final UvReactor reactor;
    private final int instance;
    private final long poll;
    private final long events;
    private int found;
    private int turnsWithoutLibuv;

    private ReadySockets(UvReactor reactor, int instance) {
        this.reactor = reactor;
        this.instance = instance;
        poll = reactor.block(REPORTED + Long.BYTES);
        events = reactor.block((long) EVENT_SIZE * BATCH);
    }

    /** Returns null if the system has none, or no descriptor is left. */
    static @Nullable ReadySockets open(UvReactor reactor) {
        if (Platform.MAC) return null;
        int instance = SocketCalls.call(Epoll.CREATE, reactor.errno(), CLOEXEC, 0, 0, 0, 0);
        if (instance < 0) return null;
        var made = new ReadySockets(reactor, instance);
        int status = Uv.pollInit(reactor.loop, made.poll, instance);
        if (status < 0) {
            Libc.close(instance);
            return null;
        }
        if (Uv.pollStart(made.poll, READABLE, Upcalls.READY) >= 0) return made;
        made.close();
        return null;
    }

    /**
     * Registers a connection, which must be removed before it is closed. If it is ready, that is reported.
     *
     * @return negative if the system refuses
     */
    int add(UvTcp connection, int socket) {
        NativeMemory.setInt(events, READABLE | END_OF_INPUT | EDGE_TRIGGERED);
        NativeMemory.setInt(events + SLOT, (int) connection.id);
        return control(ADD, socket);
    }

    /** Needed although closing would do it: a child that is about to start may have the socket open for a moment. */
    void remove(int socket) {
        control(REMOVE, socket);
    }

    private int control(int operation, int socket) {
        MemorySegment errno = reactor.errno();
        return SocketCalls.call(Epoll.CONTROL, errno, instance, operation, socket, events, 0);
    }

    /** Called in {@code uv_run} when a connection is ready. */
    static void reported(long poll) {
        NativeMemory.setLong(poll + REPORTED, 1);
    }

    /**
     * Reads from what is ready, before libuv runs, if that is worthwhile. True if this was the whole turn: there was
     * something, and libuv has run not long ago.
     */
    boolean isServedWithoutLibuv() {
        if (found < BUSY || ++turnsWithoutLibuv >= TURNS_WITH_LIBUV) return false;
        serve();
        return found > 0;
    }

    /** Reads from what is ready, after libuv has run. */
    void serveReported() {
        turnsWithoutLibuv = 0;
        if (NativeMemory.getLong(poll + REPORTED) == 0) return;
        NativeMemory.setLong(poll + REPORTED, 0);
        serve();
    }

    private void serve() {
        found = Math.max(0, (int) Functions.call(Epoll.WAIT, instance, events, BATCH, 0, 0));
        for (int i = 0; i < found; i++) {
            long event = events + (long) EVENT_SIZE * i;
            boolean ended = (NativeMemory.getInt(event) & ENDED) != 0;
            // the slot is not used again before libuv has run
            UvHandle handle = reactor.handles.at(NativeMemory.getInt(event + SLOT));
            try {
                if (handle instanceof UvTcp connection) connection.ready(ended);
            } catch (Throwable t) {
                reactor.failed(t);
            }
        }
    }

    void close() {
        Uv.close(poll, 0);
        Libc.close(instance); // uv_close has taken it out of libuv's epoll already
    }

    /** In a class of its own: linked with the first connection that is read from. */
    private static final class Epoll {
        static final MethodHandle CREATE = Functions.withErrno("epoll_create1");
        static final MethodHandle CONTROL = Functions.withErrno("epoll_ctl");
        static final MethodHandle WAIT = Functions.of("epoll_wait");
    }
}
