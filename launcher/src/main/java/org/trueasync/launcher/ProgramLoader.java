package org.trueasync.launcher;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * Loads the program. The command makes it the JVM's system class loader, so that everybody finds the program's classes there who looks for
 * them without having been started by it: the common pool's threads, {@code DriverManager}, loggers' configuration, agents. Its parent has
 * TrueAsync's modules and the JDK's.
 *
 * <p>A coroutine can't be suspended while it is in here. Loading takes locks, and one of a suspended coroutine may be wanted by another one that
 * reaches the same class through the JVM: that one waits with the only thread in its hand, and the first is never resumed.
 */
public final class ProgramLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    /**
     * Made by the JVM, or by {@link #ofProcess}; empty until somebody adds to it.
     *
     * @param parent what is visible to every program
     */
    public ProgramLoader(ClassLoader parent) {
        super(new URL[0], parent);
    }

    /** The system class loader if it is one of these, else a new one above the launcher's own. */
    static ProgramLoader ofProcess() {
        return ClassLoader.getSystemClassLoader() instanceof ProgramLoader system
                ? system
                : new ProgramLoader(ProgramLoader.class.getClassLoader());
    }

    /** Puts a directory or a jar at the end of the path; a jar's own {@code Class-Path} is followed. */
    void add(Path element) {
        try {
            addURL(element.toUri().toURL());
        } catch (MalformedURLException e) {
            throw new IllegalStateException("Bug in TrueAsync: no URL for " + element, e);
        }
    }

    /** What the JVM calls on a system class loader when an agent adds a jar to the class path. */
    @SuppressWarnings("unused")
    private void appendToClassPathForInstrumentation(String path) {
        add(Path.of(path));
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean pinned = Pinning.pin();
        try {
            return super.loadClass(name, resolve);
        } finally {
            if (pinned) Pinning.unpin();
        }
    }

    /** Also called with the lock of a name held but not by {@link #loadClass(String, boolean)}, by {@code Class.forName(Module, String)}. */
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        boolean pinned = Pinning.pin();
        try {
            return super.findClass(name);
        } finally {
            if (pinned) Pinning.unpin();
        }
    }

    // What looks for resources takes the locks of the path and of its jars; what reads them takes none that loading
    // needs.

    @Override
    public @Nullable URL getResource(String name) {
        boolean pinned = Pinning.pin();
        try {
            return super.getResource(name);
        } finally {
            if (pinned) Pinning.unpin();
        }
    }

    @Override
    public @Nullable URL findResource(String name) {
        boolean pinned = Pinning.pin();
        try {
            return super.findResource(name);
        } finally {
            if (pinned) Pinning.unpin();
        }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        boolean pinned = Pinning.pin();
        try {
            return new PinnedEnumeration<>(super.getResources(name));
        } finally {
            if (pinned) Pinning.unpin();
        }
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
        boolean pinned = Pinning.pin();
        try {
            return new PinnedEnumeration<>(super.findResources(name));
        } finally {
            if (pinned) Pinning.unpin();
        }
    }

    /** Jars are opened as the search comes to them, which is while it is iterated over. */
    @SuppressWarnings("JdkObsolete") // it is what the method that is overridden returns
    private record PinnedEnumeration<T>(Enumeration<T> found) implements Enumeration<T> {
        @Override
        public boolean hasMoreElements() {
            boolean pinned = Pinning.pin();
            try {
                return found.hasMoreElements();
            } finally {
                if (pinned) Pinning.unpin();
            }
        }

        @Override
        public T nextElement() {
            boolean pinned = Pinning.pin();
            try {
                return found.nextElement();
            } finally {
                if (pinned) Pinning.unpin();
            }
        }
    }
}
