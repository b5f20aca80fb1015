package org.trueasync.internal.testkit.disk;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** What a folder had when it was listed, in the order of the names. */
final class Listing implements DirectoryStream<Path> {
    private final List<Path> paths;
    private final Filter<? super Path> filter;
    private boolean begun;
    private boolean closed;

    Listing(List<Path> paths, Filter<? super Path> filter) {
        this.paths = paths;
        this.filter = filter;
    }

    @Override
    public Iterator<Path> iterator() {
        if (closed) throw new IllegalStateException("Directory stream is closed");
        if (begun) throw new IllegalStateException("Iterator already obtained");
        begun = true;
        var accepted = new ArrayList<Path>();
        try {
            for (Path path : paths) if (filter.accept(path)) accepted.add(path);
        } catch (IOException e) {
            throw new DirectoryIteratorException(e);
        }
        return Collections.unmodifiableList(accepted).iterator();
    }

    @Override
    public void close() {
        closed = true;
    }
}
