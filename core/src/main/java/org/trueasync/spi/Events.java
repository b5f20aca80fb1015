package org.trueasync.spi;

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
}
