package org.trueasync.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Throwing;

/**
 * Lets loops poll the sockets for which JDK code has parked a virtual thread. The JDK has a few pollers, each with a
 * thread of its own; these are replaced by pollers that ask a {@link Watcher} first. What it refuses goes to the JDK's
 * own pollers.
 *
 * <p>A thread registers a descriptor, parks, and deregisters the descriptor when it goes on. Any thread may end the
 * wait by {@link #wake}. A wait that ends for no reason begins again: the JDK reads or writes once more, and finds that
 * it would block.
 *
 * <p>Each object stands for one poller of the JDK's.
 */
public final class SocketPolls {
    /**
     * Watches descriptors in place of the JDK. Called on the thread that waits: before it parks, and after it has gone
     * on.
     */
    public interface Watcher {
        /**
         * Watches a descriptor until it is ready once; then {@link SocketPolls#wake} is to be called.
         *
         * @param descriptor of a socket, or of a selector
         * @return false if the JDK is to do it
         */
        boolean watch(int descriptor, SocketPolls poller);

        /**
         * Called when the wait is over.
         *
         * @param descriptor as above
         * @param polled true if {@link SocketPolls#wake} ended it
         * @return false if the JDK has watched it
         */
        boolean unwatch(int descriptor, SocketPolls poller, boolean polled);
    }

    private static @Nullable String refusal = "no runtime has begun";
    private static boolean tried;

    private final Watcher watcher;
    private final Object original;
    private final boolean read;
    private @Nullable Object replacement;

    private SocketPolls(Watcher watcher, Object original, boolean read) {
        this.watcher = watcher;
        this.original = original;
        this.read = read;
    }

    /**
     * Puts a watcher in place; the first one stays. Where this JDK has other pollers, nothing changes.
     *
     * @param watcher asked for every wait
     */
    public static synchronized void install(Watcher watcher) {
        if (tried) return;
        tried = true;
        try {
            Epoll.requireAvailable();
            Jdk.replace(watcher);
            refusal = null;
        } catch (Throwable e) {
            refusal = e.toString();
        }
    }

    /** Why the JDK's own pollers watch everything; null if {@link #install} has replaced them. */
    public static synchronized @Nullable String refusal() {
        return refusal;
    }

    /** True if what it watches is to be read from, false if it is to be written to. */
    public boolean isForReading() {
        return read;
    }

    /**
     * Ends the wait for a descriptor, if there is one. Any thread.
     *
     * @param descriptor as it was registered
     */
    public void wake(int descriptor) {
        try {
            Jdk.WAKE_UP.invokeExact(replacement, descriptor);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** Handles a call from the class that {@link PollerClass} makes. */
    private void accept(long call) {
        int descriptor = PollerClass.descriptor(call);
        try {
            if (PollerClass.isDeregistration(call)) {
                if (!watcher.unwatch(descriptor, this, PollerClass.isPolled(call)))
                    Jdk.DEREGISTER.invokeExact(original, descriptor);
            } else if (!watcher.watch(descriptor, this)) {
                Jdk.REGISTER.invokeExact(original, descriptor);
            }
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    private static final class Jdk {
        static final MethodHandle WAKE_UP;
        static final MethodHandle REGISTER;
        static final MethodHandle DEREGISTER;

        static {
            try {
                ClosedPackages.open("sun.nio.ch");
                WAKE_UP = ofPoller("wakeup");
                REGISTER = ofPoller("register");
                DEREGISTER = ofPoller("deregister");
            } catch (Throwable e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private Jdk() {}

        private static MethodHandle ofPoller(String name) throws ReflectiveOperationException {
            Class<?> poller = Class.forName("sun.nio.ch.Poller");
            return MethodHandles.privateLookupIn(poller, MethodHandles.lookup())
                    .findVirtual(poller, name, MethodType.methodType(void.class, int.class))
                    .asType(MethodType.methodType(void.class, Object.class, int.class));
        }

        static void replace(Watcher watcher) throws Throwable {
            Class<?> poller = Class.forName("sun.nio.ch.Poller");
            var in = MethodHandles.privateLookupIn(poller, MethodHandles.lookup());
            Class<?> replacement = in.defineClass(PollerClass.generate());
            MethodHandle make = MethodHandles.privateLookupIn(replacement, MethodHandles.lookup())
                    .findConstructor(replacement, MethodType.methodType(void.class, LongConsumer.class))
                    .asType(MethodType.methodType(Object.class, LongConsumer.class));
            Class<?> holder = Class.forName("sun.nio.ch.Poller$Pollers");
            Object pollers = in.findStaticVarHandle(poller, "POLLERS", holder).get();
            var inHolder = MethodHandles.privateLookupIn(holder, MethodHandles.lookup());
            Object master =
                    inHolder.findVarHandle(holder, "masterPoller", poller).get(pollers);
            List<Object> onPlatformThreads = new ArrayList<>();
            if (master != null) onPlatformThreads.add(master);
            for (boolean read : new boolean[] {true, false}) {
                VarHandle field =
                        inHolder.findVarHandle(holder, read ? "readPollers" : "writePollers", poller.arrayType());
                Object[] all = (Object[]) field.get(pollers);
                if (master == null) onPlatformThreads.addAll(List.of(all));
                for (int i = 0; i < all.length; i++) all[i] = replacement(make, watcher, all[i], read);
            }
            PollersAtExit.endAtOnce(onPlatformThreads);
            if (master != null && Runtime.version().feature() <= LAST_WITH_OPEN_FINALS) {
                Field field = holder.getDeclaredField("masterPoller");
                field.setAccessible(true);
                field.set(pollers, replacement(make, watcher, master, true));
            }
        }

        private static Object replacement(MethodHandle make, Watcher watcher, Object original, boolean read)
                throws Throwable {
            var poller = new SocketPolls(watcher, original, read);
            Object made = (Object) make.invokeExact((LongConsumer) poller::accept);
            poller.replacement = made;
            // Linked here: a loop calls it in its frame, where loading a class may wait for a coroutine that this call
            // is to wake.
            poller.wake(Integer.MAX_VALUE);
            return made;
        }

        /**
         * Later JVMs warn of code that writes a final field. No compiler treats that of the poller for selectors as a
         * constant.
         */
        private static final int LAST_WITH_OPEN_FINALS = 25;
    }
}
