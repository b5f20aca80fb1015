package org.trueasync.io;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Something that a {@link FileSystemWatcher} has noticed. What has happened since, nobody knows: look at the file.
 *
 * <p>Any thread.
 *
 * @param path the watched path, as it was given to the watcher
 * @param filename the name relative to it, with {@code /} between folders on every system; null for the path itself, after a quiet window (see
 *     {@link FileSystemWatcher.Builder#debounce}), and where more has happened than was kept: then anything may have changed
 * @param renamed it has come, gone or changed its name
 * @param changed its content or attributes have changed
 */
public record FileSystemEvent(Path path, @Nullable String filename, boolean renamed, boolean changed) {}
