package org.trueasync.internal.testkit.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The changes of names that have not come to the disk, in their order. They come in that order, each of them whole: so
 * a crash leaves the first of them, as with every file system that has a journal. Content is not in it.
 */
final class EntryLog {
    private final List<Change> pending = new ArrayList<>();

    /** One name of a folder stands for something else, or for nothing, and perhaps another one too. */
    private record Change(
            Node folder,
            String name,
            @Nullable Node before,
            @Nullable Node after,
            @Nullable Change also) {
        boolean concerns(Node node) {
            return folder == node || before == node || after == node || (also != null && also.concerns(node));
        }

        void undo() {
            if (also != null) also.undo();
            put(folder, name, after, before);
        }
    }

    /** Gives a name to a node, or takes it away. */
    void set(Node folder, String name, @Nullable Node after) {
        pending.add(change(folder, name, after, null));
    }

    /** Gives a node another name, which may be that of another node; one change. */
    void move(Node from, String name, Node to, String newName) {
        Node moved = from.entries.get(name);
        Change leaves = change(from, name, null, null);
        pending.add(change(to, newName, moved, leaves));
    }

    private static Change change(Node folder, String name, @Nullable Node after, @Nullable Change also) {
        Node before = folder.entries.get(name);
        put(folder, name, before, after);
        return new Change(folder, name, before, after, also);
    }

    private static void put(Node folder, String name, @Nullable Node before, @Nullable Node after) {
        if (before != null) before.names--;
        if (after != null) after.names++;
        if (after == null) folder.entries.remove(name);
        else folder.entries.put(name, after);
    }

    /** Brings the changes of a node's names, and of the names in it, to the disk, with those before them. */
    void sync(Node node) {
        for (int i = pending.size() - 1; i >= 0; i--) {
            if (!pending.get(i).concerns(node)) continue;
            pending.subList(0, i + 1).clear();
            return;
        }
    }

    /** Loses the last of the pending changes; the seed decides how many. */
    void crash(RandomGenerator random) {
        int kept = random.nextInt(pending.size() + 1);
        while (pending.size() > kept) pending.removeLast().undo();
        pending.clear();
    }
}
