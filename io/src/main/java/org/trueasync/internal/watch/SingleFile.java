package org.trueasync.internal.watch;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.WatchHandle;

/**
 * One file, watched through its folder. So it is still watched after another file of the same name has replaced it, as
 * when editors save.
 */
final class SingleFile implements Watched, WatchHandle.Listener {
    private final WatchCore core;
    private final Path folder;
    private final String name;
    private @Nullable WatchHandle handle;

    SingleFile(WatchCore core) {
        this.core = core;
        this.folder = Objects.requireNonNull(core.root().getParent(), "a file is in a folder");
        this.name = String.valueOf(core.root().getFileName());
    }

    @Override
    public void begin() {
        handle = core.loop().reactor().watch(folder, this);
    }

    @Override
    public void onChange(@Nullable String changedName, boolean renamed, boolean changed) {
        if (changedName == null) {
            if (renamed) core.fail(WatchCore.error(folder, FolderTree.GONE));
        } else if (changedName.equals(name) && core.settings().counts(name)) {
            core.noticed(null, renamed, changed);
        }
    }

    @Override
    public void onOverflow() {
        core.noticed(null, true, true);
    }

    @Override
    public void onError(SystemError error) {
        core.fail(WatchCore.error(core.root(), error));
    }

    @Override
    public void close() {
        if (handle != null) handle.close();
    }

    @Override
    public boolean isClosed() {
        WatchHandle made = handle;
        return made != null && made.isClosed();
    }
}
