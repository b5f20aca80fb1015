package org.trueasync.spi;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Creates reactors of one kind; found by {@link ServiceLoader}.
 *
 * <p>{@link #create} is called on the thread that becomes the loop thread, the other methods on any thread.
 */
public interface ReactorProvider {
    /**
     * The name that {@code --reactor} and the builder take: {@code libuv}, {@code nio}. Two providers with the same
     * name are an error.
     */
    String name();

    /** The provider's priority: if no reactor is named, the usable provider with the highest number is taken. */
    int priority();

    /**
     * Why no reactor can be created here, in one sentence that says what was tried and how to fix it; null if one can
     * be created. Cheap; never throws.
     */
    @Nullable
    String unavailableBecause();

    /**
     * Creates a reactor for the calling thread.
     *
     * @throws org.trueasync.AsyncException if it can't be created; the message says what was tried
     */
    Reactor create();

    /**
     * Calls an action for each SIGQUIT, with which a user asks the JVM for a thread dump, so that a command can add a
     * dump of its own. The JVM still prints its own dump and still answers {@code jcmd}; the signal by which
     * {@code jcmd} opens its connection is not reported. For code that owns the process.
     *
     * @param action called on its own thread, one call at a time; may block
     * @return an action that gives the signal back to the JVM alone, for any thread; null if this provider can't do it,
     *     which is the default
     */
    default @Nullable Runnable onThreadDump(Runnable action) {
        return null;
    }

    /** All installed providers, highest priority first, including those that do not work here. */
    static List<ReactorProvider> installed() {
        return ServiceLoader.load(ReactorProvider.class, ReactorProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparingInt(ReactorProvider::priority).reversed())
                .toList();
    }
}
