package org.trueasync.spi;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Makes reactors of one kind; found by {@link ServiceLoader}.
 *
 * <p>Called on the thread that becomes the loop thread.
 */
public interface ReactorProvider {
    /** The name that {@code --reactor} and the builder take: {@code libuv}, {@code nio}. Two providers of one name are an error. */
    String name();

    /** Which provider is taken when none is named: the usable one with the highest number. */
    int priority();

    /** Why no reactor can be made here, in one sentence that says what was tried and how to mend it; null if one can. Cheap, never throws. */
    @Nullable
    String unavailableBecause();

    /**
     * Makes a reactor for the calling thread.
     *
     * @throws org.trueasync.AsyncException if it can't be made; says what was tried
     */
    Reactor create();

    /**
     * Calls an action for each SIGQUIT, with which a user asks the JVM for a thread dump, so that a command can add a dump of its own. The JVM
     * makes its own as always, and answers {@code jcmd}; a signal that {@code jcmd} sends to begin a conversation is not reported. For the owner of the process.
     *
     * @param action called on a thread of its own, once at a time; may block
     * @return gives the signal back to the JVM alone, from any thread; null where this provider can't do it, which is the default
     */
    default @Nullable Runnable onThreadDump(Runnable action) {
        return null;
    }

    /** All that are installed beside us, the preferred one first; those too that do not work here. */
    static List<ReactorProvider> installed() {
        return ServiceLoader.load(ReactorProvider.class, ReactorProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparingInt(ReactorProvider::priority).reversed())
                .toList();
    }
}
