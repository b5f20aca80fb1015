package org.trueasync.reactor.libuv;

import java.lang.invoke.MethodHandle;

/** An {@code eventfd} that the loop polls; Linux only. */
final class EventBell implements Bell {
    /*
     * Not uv_async_send: up to libuv 1.44 the woken loop spins, a thousand times and then with sched_yield, until the
     * sender has returned from its system call. If the woken thread takes the sender's processor, that costs a tenth of
     * a millisecond for each wake-up.
     */
    private static final MethodHandle EVENTFD = Functions.of("eventfd");
    private static final MethodHandle READ = Functions.of("read");
    private static final MethodHandle WRITE = Functions.of("write");

    /** EFD_CLOEXEC and EFD_NONBLOCK. */
    private static final int FLAGS = 0x80000 | 0x800;

    private static final int READABLE = 1;

    /** Offset, behind the native handle, of the place to which the event's number is read. */
    private static final long NUMBER = (UvLayouts.POLL_SIZE + 15) & -16;

    /** Offset of the number 1, which a ring adds to the event's number. */
    private static final long ONE = NUMBER + Long.BYTES;

    private static final long SIZE = ONE + Long.BYTES;

    private final UvReactor reactor;
    private final long poll;
    private int event = -1;

    EventBell(UvReactor reactor) {
        this.reactor = reactor;
        poll = reactor.block(SIZE);
    }

    @Override
    public int open(long loop) {
        int made = (int) Functions.call(EVENTFD, 0, FLAGS, 0, 0, 0);
        // Called again for its errno: a method handle that captures errno takes longer to link, and no start should pay
        // for that.
        if (made < 0) made = SocketCalls.call(Functions.withErrno("eventfd"), reactor.errno(), 0, FLAGS, 0, 0, 0);
        if (made < 0) return made;
        int status = Uv.pollInit(loop, poll, made);
        if (status < 0) {
            Libc.close(made);
            return status;
        }
        NativeMemory.setLong(poll + UvLayouts.DATA, made);
        NativeMemory.setLong(poll + ONE, 1);
        event = made;
        status = Uv.pollStart(poll, READABLE, Upcalls.RUNG);
        if (status < 0) {
            close();
            Uv.run(loop, Uv.RUN_NOWAIT); // releases the handle, without which the loop can't be closed
        }
        return status;
    }

    @Override
    public void ring() {
        Functions.call(WRITE, event, poll + ONE, Long.BYTES, 0, 0);
    }

    /** Resets the event after a ring. Called in {@code uv_run}. */
    static void rung(long poll) {
        Functions.call(READ, NativeMemory.getLong(poll + UvLayouts.DATA), poll + NUMBER, Long.BYTES, 0, 0);
    }

    @Override
    public void close() {
        Uv.close(poll, 0);
        Libc.close(event); // uv_close has taken it out of epoll already
    }
}
