package org.trueasync.spi;

import java.nio.file.Path;
import java.util.Objects;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.work.PostedTrigger;
import org.trueasync.internal.work.ThreadEvent;

/**
 * Makes events for a {@link Waker} to wait for, alone or mixed with others. Timers are made by {@link Timers}, and
 * descriptors are watched by {@link Poll}; events of processes, signals and look-ups are in {@code
 * org.trueasync.io.IoEvents}. Loop thread only. An event does nothing before it is first started. A stopped event does
 * not keep the run alive. Some sources go on nevertheless, as their methods say.
 */
public final class Events {
    private Events() {}

    /**
     * The end of a thread; closes with null. A stop does not end the watch: once the thread has ended, a later wait is
     * over at once.
     *
     * @param thread platform or virtual, started
     * @throws IllegalArgumentException if the thread has not been started, or would wait for its own end
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static SourceEvent thread(Thread thread) {
        return new ThreadEvent(here("thread"), Objects.requireNonNull(thread, "thread"));
    }

    /**
     * Changes in a folder. The event fires with a {@link WatchHandle.Change} for each change, or with an
     * {@link org.trueasync.InputOutputException} if watching fails. Changes that happen while it is not started are
     * lost. {@code FileSystemWatcher} keeps the changes between two waits, and can watch sub-folders.
     *
     * @param folder must exist when the event is started; otherwise the start throws an
     *     {@link org.trueasync.InputOutputException}. If the reactor can't watch folders, it throws an
     *     {@link UnsupportedOperationException}
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static SourceEvent fileSystem(Path folder) {
        SchedulerProvider here = SchedulerProvider.get();
        return new FolderEvent(here.reactor(), here.activeEvents(), Objects.requireNonNull(folder, "folder"));
    }

    /**
     * An event that any thread can fire.
     *
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static TriggerEvent trigger() {
        return new PostedTrigger(here("trigger"));
    }

    private static Loop here(String call) {
        return Runtimes.here("Events." + call);
    }
}
