package org.trueasync.reactor.libuv;

import org.jspecify.annotations.Nullable;

/** The methods that a loop's libuv calls: on the loop thread, inside {@code uv_run}, and nowhere else. */
final class Callbacks {
    /*
     * An exception that leaves an upcall ends the JVM. So each one here is a single try whose catch makes no objects
     * and calls nothing that may throw. The reactor's execute() throws what was caught.
     *
     * All have the type that Upcalls declares: parameters that the C side does not pass hold whatever was in the
     * register, as does the upper half of an int.
     */
    private Callbacks() {}

    static void allocate(long stream, long suggested, long buf) {
        UvHandle handle = null;
        try {
            handle = handle(stream);
            ((UvStream) handle).allocate(buf);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    static void read(long stream, long count, long buf) {
        UvHandle handle = null;
        try {
            handle = handle(stream);
            ((UvStream) handle).read(count);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    static void written(long req, long status, long unused) {
        UvHandle handle = null;
        try {
            handle = handle(req);
            NativeMemory.free(req);
            ((UvStream) handle).written((int) status);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    static void connected(long req, long status, long unused) {
        UvHandle handle = null;
        try {
            handle = handle(req);
            ((UvStream) handle).connected((int) status);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    static void shut(long req, long status, long unused) {
        UvHandle handle = null;
        try {
            handle = handle(req);
            ((UvStream) handle).shut((int) status);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    static void polled(long poll, long status, long events) {
        UvHandle handle = null;
        try {
            handle = handle(poll);
            handle.polled((int) status, (int) events);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    /**
     * The C callback has a fourth parameter, a status, which is not read: if it is not zero, the name is null and there
     * are no events.
     */
    static void noticed(long watch, long name, long events) {
        UvHandle handle = null;
        try {
            handle = handle(watch);
            ((UvWatch) handle).noticed(name, (int) events);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    static void rung(long poll, long status, long events) {
        try {
            EventBell.rung(poll);
        } catch (Throwable t) {
            caught(null, t);
        }
    }

    static void ready(long poll, long status, long events) {
        try {
            ReadySockets.reported(poll);
        } catch (Throwable t) {
            caught(null, t);
        }
    }

    /** The alarm has fired: its only purpose is to end the turn. */
    static void timer(long timer, long unused, long unusedToo) {}

    static void closed(long address, long unused, long unusedToo) {
        UvHandle handle = null;
        try {
            handle = handle(address);
            handle.nativeClosed();
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    /** Finds the handle by the number in the first field, which is {@code data} in handles and requests alike. */
    private static UvHandle handle(long address) {
        return HandleTable.get(NativeMemory.getLong(address + UvLayouts.DATA));
    }

    private static void caught(@Nullable UvHandle handle, Throwable thrown) {
        if (handle == null) UvReactor.STRAY.set(thrown);
        else handle.reactor.failed(thrown);
    }
}
