package org.trueasync.spi;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Objects;
import org.trueasync.internal.dns.Lookups;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.process.ProcessEvent;
import org.trueasync.internal.signal.SignalEvent;
import org.trueasync.internal.source.ExecEvent;
import org.trueasync.internal.source.PostedTrigger;
import org.trueasync.internal.source.ThreadEvent;
import org.trueasync.io.Exec;
import org.trueasync.io.Signal;

/**
 * Makes events for a {@link Waker} to wait for, alone or mixed with others. Timers are made by {@link Timers},
 * descriptors watched by {@link Poll}. Loop thread only. An event does nothing before it is started, nor after it was
 * stopped. Exception: {@link #signal}, which must be called in a coroutine, listens from its creation on.
 */
public final class Events {
    private Events() {}

    /**
     * The next delivery of a signal; closes with it.
     *
     * @param signal the signal to wait for
     * @throws IllegalArgumentException if it can't be waited for
     */
    public static SourceEvent signal(Signal signal) {
        return SignalEvent.next(signal, null);
    }

    /**
     * The end of a process, any process that the system shows. Closes with the exit status as an {@link Integer}; with
     * null if the status can't be known, because the process is no child of this one or has been reaped already.
     * Several waits for one process share one request to the system.
     *
     * @param process the process to wait for
     * @throws IllegalArgumentException if it is the current process
     */
    public static SourceEvent process(ProcessHandle process) {
        return new ProcessEvent(here("process"), Objects.requireNonNull(process, "process"), null);
    }

    /**
     * The end of a child that the JDK has started; closes with the exit status as an {@link Integer}.
     *
     * @param process the process to wait for
     */
    public static SourceEvent process(Process process) {
        return new ProcessEvent(here("process"), process.toHandle(), process);
    }

    /**
     * The end of a thread; closes with null.
     *
     * @param thread platform or virtual, started
     * @throws IllegalArgumentException if it has not been started, or is the one that would wait
     */
    public static SourceEvent thread(Thread thread) {
        return new ThreadEvent(here("thread"), Objects.requireNonNull(thread, "thread"));
    }

    /**
     * A run of a command, which begins when the event is started. Closes with its {@link org.trueasync.io.ExecResult}
     * or its error. If the event is stopped before, the child is ended, and a later start runs the command anew.
     *
     * @param command the command to run
     */
    public static SourceEvent exec(Exec command) {
        return new ExecEvent(here("exec"), Objects.requireNonNull(command, "command"));
    }

    /**
     * Changes in a folder. The event fires with a {@link WatchHandle.Change} for each change. Changes that happen while
     * it is not started are lost. {@code FileSystemWatcher} keeps the changes between two waits, and can watch
     * sub-folders.
     *
     * @param folder must exist when the event is started; otherwise the start throws an
     *     {@link org.trueasync.InputOutputException}
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static SourceEvent fileSystem(Path folder) {
        SchedulerProvider here = SchedulerProvider.get();
        return new FolderEvent(here.reactor(), here.activeEvents(), Objects.requireNonNull(folder, "folder"));
    }

    /**
     * A look-up of a host, which begins when the event is first started. The event closes with a
     * {@code List<InetAddress>} or a {@link org.trueasync.DnsException}; later waits get the same outcome. The look-up
     * can't be stopped: if nothing waits for it any more, its answer is dropped.
     *
     * @param host name or literal
     * @throws org.trueasync.DnsException if the text can't be a host
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static SourceEvent dns(String host) {
        return Lookups.event(here("dns"), Objects.requireNonNull(host, "host"));
    }

    /**
     * As {@link #dns}, for the host name of an address: the event closes with a {@code String}.
     *
     * @param address the address to look up
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static SourceEvent reverse(InetAddress address) {
        return Lookups.event(here("reverse"), Objects.requireNonNull(address, "address"));
    }

    /** An event that any thread can fire. */
    public static TriggerEvent trigger() {
        return new PostedTrigger(here("trigger"));
    }

    private static Loop here(String call) {
        return Runtimes.here("Events." + call);
    }
}
