package org.trueasync.reactor.libuv;

import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.WatchHandle;

/** A watched folder: {@code uv_fs_event_t}. */
final class UvWatch extends UvHandle implements WatchHandle {
    /*
     * On Linux libuv has one inotify descriptor for each loop, and on it one watch for each folder, which all handles
     * of that folder share. A callback may close its own handle and others of the same folder: libuv takes its list of
     * handles apart before it calls, and frees it afterwards.
     *
     * libuv reports a change of the folder itself under the last part of the watched path, as if it were an entry of
     * that name. So the path that we pass ends in "/.", which no entry can be called. Such a path is also refused for
     * anything but a folder.
     *
     * inotify reports one thing at a time. But if a report concerns a folder, libuv takes the kernel's mark for folders
     * as a renaming. So a change is not taken as a renaming too.
     *
     * libuv does not report that the system's queue was full. It empties the queue in each turn. If a turn brought half
     * as many events as the queue holds (the other half allows for events of closed watches), some may be lost, and all
     * watches of the loop are told so.
     */
    private static final Charset ENCODING = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    private static final int SUSPICIOUS = Math.max(1, queueSize() / 2);

    private final Listener listener;

    UvWatch(UvReactor reactor, Path path, Listener listener) {
        this.listener = listener;
        super(reactor, UvLayouts.FS_EVENT_SIZE);
        int status = Uv.fsEventInit(reactor.loop, address);
        if (status < 0) {
            discard();
            throw refused(path, status);
        }
        opened();
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom(path + "/.", ENCODING).address();
            status = Uv.fsEventStart(address, Upcalls.NOTICED, name);
        }
        if (status >= 0) return;
        close();
        throw refused(path, status);
    }

    private static InputOutputException refused(Path path, int status) {
        SystemError error = UvErrors.of(status);
        return new InputOutputException("watch " + path + ": " + error + limit(error), error.errno());
    }

    /** Names the limit that an error stands for here. */
    private static String limit(SystemError error) {
        return switch (error.errno()) {
            case "ENOSPC" -> "; no more folders can be watched, see fs.inotify.max_user_watches";
            case "EMFILE" ->
                "; too many watching runtimes of this user, see fs.inotify.max_user_instances, or descriptors, see ulimit -n";
            default -> UvErrors.hint(error);
        };
    }

    private static int queueSize() {
        // In one read: the kernel delivers such a file once, even if the buffer has too little room.
        byte[] digits = new byte[32];
        try (var file = new FileInputStream("/proc/sys/fs/inotify/max_queued_events")) {
            int count = file.read(digits);
            return Integer.parseInt(new String(digits, 0, Math.max(0, count), StandardCharsets.US_ASCII).strip());
        } catch (IOException | NumberFormatException | SecurityException unknown) {
            return 16_384;
        }
    }

    void noticed(long name, int events) {
        reactor.watchEventsThisTurn++;
        if (isClosed()) return;
        boolean changed = (events & Uv.CHANGE) != 0;
        boolean renamed = (events & Uv.RENAME) != 0 && (!changed || Platform.MAC);
        listener.onChange(entry(name), renamed, changed);
    }

    private static @Nullable String entry(long address) {
        if (address == 0) return null;
        String name = NativeMemory.getString(address, ENCODING);
        return name.equals(".") ? null : name;
    }

    /** Called after a turn in which something was noticed. */
    static void turnEnds(UvReactor reactor) {
        int count = reactor.watchEventsThisTurn;
        reactor.watchEventsThisTurn = 0;
        if (count < SUSPICIOUS) return;
        for (UvHandle handle : reactor.handles.toArray()) if (handle instanceof UvWatch watch) watch.overflow();
    }

    private void overflow() {
        if (isClosed()) return;
        try {
            listener.onOverflow();
        } catch (Throwable t) {
            reactor.failed(t);
        }
    }
}
