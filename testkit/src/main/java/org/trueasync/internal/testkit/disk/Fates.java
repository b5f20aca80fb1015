package org.trueasync.internal.testkit.disk;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.trueasync.internal.testkit.disk.Content.Change;
import org.trueasync.internal.testkit.disk.Content.Sectors;

/**
 * What has come to the disk of the pending changes of one file, when the power went. A change is kept, lost or torn. A
 * sector comes to the disk as programs saw it at some moment: with one change of it come the earlier ones of it, since
 * a system writes what it has in memory. Cuts come in order, and before what was written after them.
 */
final class Fates {
    private final List<Change> changes;
    private final RandomGenerator random;
    /** By sector, the last change that it came with. */
    private final Map<Integer, Integer> whole = new HashMap<>();
    /** By sector, the change that a part of it came with. */
    private final Map<Integer, Torn> torn = new HashMap<>();

    private int size;

    /** The bytes before {@code end}, a position in the file, came with a change. */
    private record Torn(int change, int end) {}

    Fates(List<Change> changes, int sizeOnDisk, RandomGenerator random) {
        this.changes = changes;
        this.random = random;
        this.size = sizeOnDisk;
        // Some crashes lose all, some nothing: different faults need different ones.
        int keptOfEight =
                switch (random.nextInt(4)) {
                    case 0 -> 0;
                    case 1 -> 8;
                    case 2 -> 4;
                    default -> 7;
                };
        for (int i = 0; i < changes.size(); i++) if (!decide(i, random.nextInt(8) < keptOfEight)) break;
    }

    /** Decides about a change; false for a cut that is lost, with all that came after it. */
    private boolean decide(int number, boolean kept) {
        Change change = changes.get(number);
        if (change.isCut()) {
            if (!kept) return false;
            for (int sector = Sectors.of(change.at()); sector <= Sectors.last(change); sector++) keep(sector, number);
            size = Math.min(size, change.sizeAfter());
            return true;
        }
        if (change.after().length == 0) {
            if (kept) size = Math.max(size, change.sizeAfter());
            return true;
        }
        int first = Sectors.of(change.at());
        int last = Sectors.last(change);
        if (kept) {
            for (int sector = first; sector <= last; sector++) keep(sector, number);
            return true;
        }
        switch (random.nextInt(5)) {
            case 0 -> {
                int until = first + random.nextInt(last - first + 1);
                for (int sector = first; sector < until; sector++) keep(sector, number);
            }
            case 1 -> {
                for (int sector = first; sector <= last; sector++) if (random.nextBoolean()) keep(sector, number);
            }
            case 2 -> {
                int end = change.at() + random.nextInt(change.after().length);
                for (int sector = first; sector < Sectors.of(end); sector++) keep(sector, number);
                tear(number, end);
            }
            // the new size came without the bytes: zeros
            case 3 -> size = Math.max(size, change.sizeAfter());
            default -> {}
        }
        return true;
    }

    private void keep(int sector, int number) {
        whole.put(sector, number);
        Change change = changes.get(number);
        if (!change.isCut()) size = Math.max(size, Math.min(change.sizeAfter(), (sector + 1) * Sectors.SIZE));
    }

    private void tear(int number, int end) {
        if (end % Sectors.SIZE == 0) return;
        torn.put(Sectors.of(end), new Torn(number, end));
        size = Math.max(size, Math.min(end, changes.get(number).sizeAfter()));
    }

    /** The file's size afterwards. */
    int size() {
        return size;
    }

    /**
     * Makes what the disk has.
     *
     * @param seen what programs saw before the changes; is changed
     * @param onDisk what the disk had; gets the sectors that have come
     */
    void apply(byte[] seen, byte[] onDisk) {
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            for (int sector = Sectors.of(change.at()); sector <= Sectors.last(change); sector++) {
                int from = Math.max(change.at(), sector * Sectors.SIZE);
                int to = Math.min(change.end(), (sector + 1) * Sectors.SIZE);
                if (i > whole.getOrDefault(sector, -1)) {
                    Torn part = torn.get(sector);
                    to = part == null || i > part.change ? from : Math.min(to, part.end);
                }
                if (to > from) System.arraycopy(change.after(), from - change.at(), seen, from, to - from);
            }
        }
        for (int sector : whole.keySet()) bring(seen, onDisk, sector * Sectors.SIZE, (sector + 1) * Sectors.SIZE);
        torn.forEach((sector, part) -> {
            if (part.change > whole.getOrDefault(sector, -1)) bring(seen, onDisk, sector * Sectors.SIZE, part.end);
        });
    }

    private static void bring(byte[] seen, byte[] onDisk, int from, int to) {
        if (from < onDisk.length) System.arraycopy(seen, from, onDisk, from, Math.min(to, onDisk.length) - from);
    }
}
