package org.trueasync.spi;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;

/** See {@link Events#fileSystem}. */
final class FolderEvent extends SourceEvent implements WatchHandle.Listener {
    private final Reactor reactor;
    private final Path folder;
    private @Nullable WatchHandle handle;

    FolderEvent(Reactor reactor, ActiveEvents activeEvents, Path folder) {
        super(activeEvents);
        this.reactor = reactor;
        this.folder = folder.toAbsolutePath();
    }

    @Override
    protected void armSource() {
        handle = reactor.watch(folder, this);
    }

    @Override
    protected void disarmSource() {
        Objects.requireNonNull(handle).close();
        handle = null;
    }

    @Override
    public void onChange(@Nullable String name, boolean renamed, boolean changed) {
        notifyCallbacks(new WatchHandle.Change(name, renamed, changed), null);
    }

    @Override
    public void onOverflow() {
        onChange(null, true, true);
    }

    @Override
    public void onError(SystemError error) {
        notifyCallbacks(null, new InputOutputException("watch " + folder + ": " + error, error.errno()));
    }

    @Override
    public String info() {
        return "changes in " + folder;
    }
}
