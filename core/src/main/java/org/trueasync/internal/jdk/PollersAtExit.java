package org.trueasync.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * Lets the JVM end at once. At its end it waits, for 300 ms at most, until no thread is inside native code, and the
 * JDK's socket pollers always are: they wait for events. So there is one at the end, which stays: the pollers leave
 * native code again and again, and stop where the JVM stops every thread.
 */
final class PollersAtExit {
    /** The last of the JDK's own places for shutdown hooks, which run in order: the program's are done by then. */
    private static final int LAST_PLACE = 9;

    private static final String EVENT = "sun.nio.ch.EventFD";

    private PollersAtExit() {}

    /**
     * Prepares the end of the JVM. Where this JDK has other internals, nothing changes.
     *
     * @param pollers the JDK's pollers whose threads are platform threads
     */
    static void endAtOnce(List<Object> pollers) {
        try {
            ClosedPackages.staticMethod(
                            "java.lang.Shutdown", "add", void.class, int.class, boolean.class, Runnable.class)
                    .invoke(LAST_PLACE, false, (Runnable) () -> wake(pollers));
        } catch (Throwable e) {
            // the JVM ends 300 ms later
        }
    }

    private static void wake(List<Object> pollers) {
        try {
            int readable = (int)
                    ClosedPackages.staticMethod(EVENT, "eventfd0", int.class).invoke();
            ClosedPackages.staticMethod(EVENT, "set0", int.class, int.class).invoke(readable);
            Class<?> type = Class.forName("sun.nio.ch.Poller");
            MethodHandle descriptor = MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                    .findVirtual(type, "fdVal", MethodType.methodType(int.class));
            for (Object poller : pollers) Epoll.keepReady((int) descriptor.invoke(poller), readable);
        } catch (Throwable e) {
            // as above
        }
    }
}
