package org.trueasync.internal.jdk;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.util.function.IntConsumer;
import org.trueasync.internal.error.Throwing;

/**
 * An epoll instance, by the JDK's own binding to it; Linux only. A descriptor that is watched for reading is reported
 * each time that it becomes readable (edge-triggered), until it is removed or closed; one that is watched for writing
 * is reported once. One thread.
 */
public final class Epoll {
    private static final String NAME = "sun.nio.ch.EPoll";
    private static final int ADD = 1;
    private static final int REMOVE = 2;
    private static final int MODIFY = 3;
    private static final int ENOENT = 2;
    private static final int EEXIST = 17;
    private static final int IN = 1;
    private static final int OUT = 4;
    private static final int ONCE = 1 << 30;
    private static final int EDGE = 1 << 31;
    private static final int MAX_EVENTS = 512;

    private final int events;
    private final int descriptor;
    private final long array;

    /**
     * Makes an instance.
     *
     * @param read true to watch for reading, false for writing
     * @throws IOException if the system has no descriptor left
     */
    public Epoll(boolean read) throws IOException {
        events = read ? IN | EDGE : OUT | ONCE;
        try {
            array = (long) Jdk.ALLOCATE.invokeExact(MAX_EVENTS);
            try {
                descriptor = (int) Jdk.CREATE.invokeExact();
            } catch (Throwable e) {
                Jdk.FREE.invokeExact(array);
                throw e;
            }
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** Fails where the JDK has no epoll; loads nothing else. */
    static void requireAvailable() throws ClassNotFoundException {
        Class.forName(NAME, false, null);
    }

    /** The descriptor of the instance itself, readable while something is ready. */
    public int descriptor() {
        return descriptor;
    }

    /**
     * Watches a descriptor that is not known to be registered. If it is ready now, that is reported.
     *
     * @param watched a descriptor
     * @return false if the system refuses
     */
    public boolean add(int watched) {
        return control(ADD, EEXIST, MODIFY, watched);
    }

    /**
     * Watches a descriptor that has been registered, and may have been closed since, and its number used again. If it
     * is ready now, that is reported.
     *
     * @param watched a descriptor
     * @return false if the system refuses
     */
    public boolean confirm(int watched) {
        return control(MODIFY, ENOENT, ADD, watched);
    }

    private boolean control(int operation, int retriedError, int retry, int watched) {
        int error = control(operation, watched, events);
        if (error == retriedError) error = control(retry, watched, events);
        return error == 0;
    }

    /**
     * Stops watching a descriptor.
     *
     * @param watched a descriptor
     */
    public void remove(int watched) {
        control(REMOVE, watched, 0);
    }

    private int control(int operation, int watched, int wanted) {
        return change(descriptor, operation, watched, wanted);
    }

    /**
     * Makes an instance ready for as long as a descriptor is readable, and whoever waits for it go on at once.
     *
     * @param instance descriptor of an instance, also of one that is not ours
     */
    static void keepReady(int instance, int readable) {
        change(instance, ADD, readable, IN);
    }

    private static int change(int instance, int operation, int watched, int wanted) {
        try {
            return (int) Jdk.CONTROL.invokeExact(instance, operation, watched, wanted);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /**
     * Reports what has become ready, without waiting.
     *
     * @param ready gets each descriptor; may not fail
     */
    public void poll(IntConsumer ready) {
        try {
            int count = (int) Jdk.WAIT.invokeExact(descriptor, array, MAX_EVENTS, 0);
            for (int i = 0; i < count; i++) {
                long event = (long) Jdk.EVENT.invokeExact(array, i);
                ready.accept((int) Jdk.DESCRIPTOR.invokeExact(event));
            }
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** Closes the instance. Nothing may be called afterwards. */
    public void close() {
        try {
            Jdk.CLOSE.invokeExact(descriptor);
            Jdk.FREE.invokeExact(array);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    private static final class Jdk {
        static final MethodHandle CREATE;
        static final MethodHandle CONTROL;
        static final MethodHandle WAIT;
        static final MethodHandle ALLOCATE;
        static final MethodHandle FREE;
        static final MethodHandle EVENT;
        static final MethodHandle DESCRIPTOR;
        static final MethodHandle CLOSE;

        static {
            try {
                ClosedPackages.open("sun.nio.ch");
                CREATE = ClosedPackages.staticMethod(NAME, "create", int.class);
                CONTROL =
                        ClosedPackages.staticMethod(NAME, "ctl", int.class, int.class, int.class, int.class, int.class);
                WAIT = ClosedPackages.staticMethod(
                        NAME, "wait", int.class, int.class, long.class, int.class, int.class);
                ALLOCATE = ClosedPackages.staticMethod(NAME, "allocatePollArray", long.class, int.class);
                FREE = ClosedPackages.staticMethod(NAME, "freePollArray", void.class, long.class);
                EVENT = ClosedPackages.staticMethod(NAME, "getEvent", long.class, long.class, int.class);
                DESCRIPTOR = ClosedPackages.staticMethod(NAME, "getDescriptor", int.class, long.class);
                CLOSE = ClosedPackages.staticMethod(
                        "sun.nio.ch.FileDispatcherImpl", "closeIntFD", void.class, int.class);
            } catch (Throwable e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private Jdk() {}
    }
}
