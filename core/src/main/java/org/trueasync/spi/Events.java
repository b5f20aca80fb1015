package org.trueasync.spi;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Objects;

/** Makes events of what the operating system tells, for wakers that wait for several things. Loop thread only. */
public final class Events {
    private Events() {}

    /**
     * Changes in a folder. The event fires with a {@link WatchHandle.Change} for each, as often as there are some; what happens while it is not
     * started nobody is told. {@code FileSystemWatcher} keeps what happens between two waits, and knows sub-folders.
     *
     * @param folder exists when the event is started: else that throws an {@link org.trueasync.InputOutputException}
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static SourceEvent fileSystem(Path folder) {
        SchedulerProvider here = SchedulerProvider.get();
        return new FolderEvent(here.reactor(), here.activeEvents(), Objects.requireNonNull(folder, "folder"));
    }

    /**
     * A look-up of a host: it begins when the event is first started, the event closes with a {@code List<InetAddress>} or a {@link
     * org.trueasync.DnsException}, and whoever comes later is given the same. It can't be stopped: its answer is dropped if nobody waits any more.
     *
     * @param host name or literal
     * @throws org.trueasync.DnsException if the text can't be a host
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static SourceEvent dns(String host) {
        return SchedulerProvider.get().lookUp(Objects.requireNonNull(host, "host"));
    }

    /**
     * As {@link #dns}, for the name of an address: the event closes with a {@code String}.
     *
     * @param address which
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static SourceEvent reverse(InetAddress address) {
        return SchedulerProvider.get().lookUp(Objects.requireNonNull(address, "address"));
    }
}
