package org.trueasync.internal.file;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.trueasync.internal.kernel.Loop;

/**
 * The open files of a run. Files that are still open when the run ends are closed: otherwise a lock would keep other
 * runs of this process out for ever, and a descriptor would stay open until the next garbage collection.
 */
final class OpenFiles {
    private static final Map<Loop, OpenFiles> ALL = new ConcurrentHashMap<>();

    /** Weak, so that a file that the program has lost can be collected before the end; LeakedHandle closes it then. */
    private final Set<FileCore> files = Collections.newSetFromMap(new WeakHashMap<>());

    private OpenFiles() {}

    /** Loop thread. */
    static void add(Loop loop, FileCore file) {
        OpenFiles ofRun = ALL.get(loop);
        if (ofRun == null) {
            ofRun = new OpenFiles();
            ALL.put(loop, ofRun);
            loop.atStop(() -> closeAll(loop));
        }
        ofRun.files.add(file);
        loop.noteHeldWeakly(file);
    }

    /** Loop thread. */
    static void remove(Loop loop, FileCore file) {
        OpenFiles ofRun = ALL.get(loop);
        if (ofRun != null) ofRun.files.remove(file);
    }

    private static void closeAll(Loop loop) {
        OpenFiles ofRun = ALL.remove(loop);
        if (ofRun != null) List.copyOf(ofRun.files).forEach(FileCore::runEnded);
    }
}
