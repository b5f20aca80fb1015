package raft;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.InputOutputException;
import org.trueasync.Mutex;
import org.trueasync.io.AsyncFile;

/**
 * What a node must not forget: its term, its vote, the log, and the snapshot that stands for the log's beginning.
 *
 * <p>Changes are made in memory, at once; {@link #sync} has the disk store them. No message leaves before the changes
 * that it tells of are stored, so for everybody else both happen at the same moment.
 *
 * <p>There are two files. One is in use: it begins with a head, which has everything, and each change is a record
 * behind it. A snapshot, and each start, writes a new head into the other file, which is in use from then on. Should a
 * crash tear that head, the former file is still there.
 */
final class Journal implements AutoCloseable {
    private final Path folder;
    private final Mutex writing = new Mutex();
    private AsyncFile file;
    private long generation;

    private long term;
    private String votedFor = "";
    private long snapshotIndex;
    private long snapshotTerm;
    private List<String> snapshot = List.of();
    /** From {@code snapshotIndex + 1} on. */
    private final List<Entry> entries = new ArrayList<>();

    private final List<ByteBuffer> unwritten = new ArrayList<>();
    private boolean needsHead = true;
    private long changes = 1;
    private long stored;
    private boolean broken;

    private Journal(Path folder) {
        this.folder = folder;
    }

    /**
     * Opens the journal, or makes a new one. What is read here may be in the system's memory only, left by a process
     * whose last sync failed. So it is written once more, to where it is: that harms nothing, should it be on the disk.
     * Only then may the other file be overwritten.
     */
    static Journal open(Path folder) {
        Journal newest = new Journal(folder);
        for (int number = 0; number < 2; number++) {
            Journal found = new Journal(folder);
            if (found.load(number) && found.generation > newest.generation) newest = found;
        }
        try {
            if (newest.generation > 0) newest.writeAgain();
            newest.sync();
        } catch (Throwable e) {
            newest.close();
            throw e;
        }
        return newest;
    }

    @Override
    public void close() {
        if (file != null) file.close();
    }

    // ---- what it knows

    long term() {
        return term;
    }

    String votedFor() {
        return votedFor;
    }

    long snapshotIndex() {
        return snapshotIndex;
    }

    long snapshotTerm() {
        return snapshotTerm;
    }

    List<String> snapshot() {
        return snapshot;
    }

    long lastIndex() {
        return snapshotIndex + entries.size();
    }

    Entry entry(long index) {
        return entries.get((int) (index - snapshotIndex - 1));
    }

    /** Of an entry from {@code snapshotIndex} to {@code lastIndex}. */
    long termOf(long index) {
        return index == snapshotIndex ? snapshotTerm : entry(index).term();
    }

    // ---- changes

    void vote(long newTerm, String candidate) {
        term = newTerm;
        votedFor = candidate;
        write(Frame.of("vote", newTerm, candidate));
    }

    /** Entries from this index on, which contradict the leader's, are cut off. */
    void append(long index, Entry entry) {
        cut(index);
        entries.add(entry);
        write(Frame.of("entry", index).with(entry.fields()));
    }

    /** Replaces the entries up to this one. Later ones stay if they can follow it. */
    void snapshot(long index, long termOfIndex, List<String> content) {
        boolean follows = index <= lastIndex() && termOf(index) == termOfIndex;
        entries.subList(0, follows ? (int) (index - snapshotIndex) : entries.size()).clear();
        snapshotIndex = index;
        snapshotTerm = termOfIndex;
        snapshot = content;
        needsHead = true;
        changes++;
    }

    private void cut(long index) {
        entries.subList((int) (index - snapshotIndex - 1), entries.size()).clear();
    }

    private void write(Frame record) {
        unwritten.add(record.encode());
        changes++;
    }

    // ---- the disk

    /**
     * Returns when all changes that were made before are stored. A failure is the end of the node: what a failed sync
     * has left on the disk, nobody knows.
     */
    void sync() {
        long wanted = changes;
        writing.withLock(() -> {
            if (stored >= wanted) return;
            if (broken) throw new IllegalStateException("the journal is broken");
            long now = changes;
            broken = true;
            try {
                if (needsHead) writeHead();
                else writeRecords();
            } catch (InputOutputException e) {
                throw new IllegalStateException("the journal can't be written", e);
            }
            broken = false;
            stored = now;
        });
    }

    private void writeAgain() {
        try (var same = AsyncFile.open(path(generation), StandardOpenOption.WRITE)) {
            same.write(unwritten.removeFirst());
            same.sync(true);
        }
    }

    private void writeRecords() {
        var records = unwritten.toArray(ByteBuffer[]::new);
        unwritten.clear();
        file.write(records);
        file.sync(false);
    }

    /** A sync of a new file stores its name too. */
    private void writeHead() {
        generation++;
        var head = Frame.of(generation, term, votedFor, entries.size(), snapshotIndex, snapshotTerm)
                .with(snapshot);
        var records = new ArrayList<ByteBuffer>(List.of(head.encode()));
        for (Entry each : entries) records.add(new Frame(each.fields()).encode());
        unwritten.clear();
        needsHead = false;
        if (file != null) file.close();
        file = AsyncFile.open(
                path(generation),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        file.write(records.toArray(ByteBuffer[]::new));
        file.sync(true);
    }

    private Path path(long number) {
        return folder.resolve("journal-" + number % 2);
    }

    /** False if it has no whole head. The first record that is torn, or lost, ends the file. */
    private boolean load(int number) {
        ByteBuffer content;
        try (var read = AsyncFile.open(
                path(number), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            content = ByteBuffer.allocate((int) read.size());
            while (content.hasRemaining() && read.read(content) >= 0) {}
        }
        Frame head = Frame.decode(content.flip());
        if (head == null) return false;
        generation = head.number(0);
        term = head.number(1);
        votedFor = head.text(2);
        snapshotIndex = head.number(4);
        snapshotTerm = head.number(5);
        snapshot = head.from(6);
        for (long left = head.number(3); left > 0; left--) {
            Frame entry = Frame.decode(content);
            if (entry == null) return false;
            entries.add(Entry.of(entry.fields()));
        }
        for (Frame record = Frame.decode(content); record != null; record = Frame.decode(content)) {
            if (record.text(0).equals("vote")) {
                term = record.number(1);
                votedFor = record.text(2);
            } else {
                cut(record.number(1));
                entries.add(Entry.of(record.from(2)));
            }
        }
        unwritten.add(content.rewind());
        return true;
    }
}
