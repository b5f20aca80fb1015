package org.trueasync.internal.provider;

import java.net.InetAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.dns.Lookups;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.process.ProcessEvent;
import org.trueasync.internal.signal.SignalEvent;
import org.trueasync.io.Exec;
import org.trueasync.io.Signal;
import org.trueasync.spi.EventsProvider;
import org.trueasync.spi.SourceEvent;
import org.trueasync.spi.TriggerEvent;

/** For {@link org.trueasync.spi.Events}. */
public final class CoreEvents implements EventsProvider {
    /** For {@link java.util.ServiceLoader}. */
    public CoreEvents() {}

    @Override
    public SourceEvent signal(Signal signal) {
        return SignalEvent.next(signal, null);
    }

    @Override
    public SourceEvent process(ProcessHandle process, @Nullable Process child) {
        return new ProcessEvent(here("process"), Objects.requireNonNull(process, "process"), child);
    }

    @Override
    public SourceEvent thread(Thread thread) {
        return new ThreadEvent(here("thread"), Objects.requireNonNull(thread, "thread"));
    }

    @Override
    public SourceEvent exec(Exec command) {
        return new ExecEvent(here("exec"), Objects.requireNonNull(command, "command"));
    }

    @Override
    public SourceEvent dns(String host) {
        return Lookups.event(here("dns"), Objects.requireNonNull(host, "host"));
    }

    @Override
    public SourceEvent reverse(InetAddress address) {
        return Lookups.event(here("reverse"), address);
    }

    @Override
    public TriggerEvent trigger() {
        return new PostedTrigger(here("trigger"));
    }

    private static Loop here(String what) {
        return Runtimes.here("Events." + what);
    }
}
