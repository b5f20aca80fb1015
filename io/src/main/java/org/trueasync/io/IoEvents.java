package org.trueasync.io;

import java.net.InetAddress;
import java.util.Objects;
import org.trueasync.internal.io.Lookups;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.process.ProcessEvent;
import org.trueasync.internal.process.SignalEvent;
import org.trueasync.spi.SourceEvent;

/**
 * Makes events of the system for a {@link org.trueasync.spi.Waker} to wait for, alone or mixed with others, as
 * {@link org.trueasync.spi.Events} does for what needs no I/O. Loop thread only. An event does nothing before it is
 * first started, except {@link #signal}, which listens from its creation on. A stopped event does not keep the run
 * alive. Some sources go on nevertheless, as their methods say.
 */
public final class IoEvents {
    private IoEvents() {}

    /**
     * The next delivery of a signal; closes with the signal. Called in a coroutine.
     *
     * @param signal the signal to wait for
     * @throws IllegalArgumentException if a program can't wait for this signal
     * @throws org.trueasync.AsyncException outside a coroutine
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
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static SourceEvent process(ProcessHandle process) {
        return new ProcessEvent(here("process"), Objects.requireNonNull(process, "process"), null);
    }

    /**
     * The end of a child that the JDK has started; closes with the exit status as an {@link Integer}. A stop does not
     * end the watch: once the child has ended, a later wait gets the status at once.
     *
     * @param process the process to wait for
     * @throws UnsupportedOperationException if the object has no {@link Process#toHandle}
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static SourceEvent process(Process process) {
        return new ProcessEvent(
                here("process"), Objects.requireNonNull(process, "process").toHandle(), process);
    }

    /**
     * A run of a command, which begins when the event is started. Closes with its {@link ExecResult}
     * or its error. If the event is stopped before, the child is ended, and a later start runs the command anew.
     *
     * @param command the command to run
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static SourceEvent exec(Exec command) {
        return new ExecEvent(here("exec"), Objects.requireNonNull(command, "command"));
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

    private static Loop here(String call) {
        return Runtimes.here("IoEvents." + call);
    }
}
