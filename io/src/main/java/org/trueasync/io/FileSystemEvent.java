package org.trueasync.io;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A change that a {@link FileSystemWatcher} has noticed. More may have happened since, so check the file.
 *
 * <p>Any thread.
 *
 * @param path the watched path, as it was given to the watcher
 * @param filename the name relative to the path, with {@code /} between folders on every system; null for the path
 *     itself. Also null after a quiet window (see {@link FileSystemWatcher.Builder#debounce}), and if events were lost:
 *     then anything may have changed
 * @param renamed the file was created, deleted or renamed
 * @param changed the file's content or attributes have changed
 */
public record FileSystemEvent(Path path, @Nullable String filename, boolean renamed, boolean changed) {}
