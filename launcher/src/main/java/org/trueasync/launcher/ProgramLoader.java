package org.trueasync.launcher;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * Loads the program. It is what {@link ClassLoader#getSystemClassLoader} returns, so that code which the program has
 * not started also finds the program's classes: threads of the common pool, {@code DriverManager}, the configuration of
 * loggers. Its parent, the JVM's own loader for programs, has the modules of TrueAsync and of the JDK, and agents.
 *
 * <p>A coroutine is pinned while it runs code of this class, so it can't be suspended there. Loading takes locks. If a
 * suspended coroutine held one, another coroutine that reaches the same class through the JVM would block the loop
 * thread waiting for it, and the first one would never be resumed.
 */
final class ProgramLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private ProgramLoader(ClassLoader parent) {
        super(new URL[0], parent);
    }

    /**
     * Creates the loader, with an empty path, and makes it the system class loader and the context class loader of the
     * calling thread. A system class loader that the user has chosen stays, as its parent.
     */
    static ProgramLoader install() {
        ClassLoader before = ClassLoader.getSystemClassLoader();
        ProgramLoader loader = new ProgramLoader(before);
        if (System.getProperty("java.system.class.loader") == null) JdkAccess.setSystemClassLoader(loader);
        Thread.currentThread().setContextClassLoader(loader);
        return loader;
    }

    /** Adds a directory or a jar at the end of the path; a jar's own {@code Class-Path} is followed. */
    void add(Path element) {
        try {
            addURL(element.toUri().toURL());
        } catch (MalformedURLException e) {
            throw new IllegalStateException("Bug in TrueAsync: no URL for " + element, e);
        }
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

    /**
     * Pins too, because {@code Class.forName(Module, String)} calls this with a lock held, without
     * {@link #loadClass(String, boolean)}.
     */
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        boolean pinned = Pinning.pin();
        try {
            return super.findClass(name);
        } finally {
            if (pinned) Pinning.unpin();
        }
    }

    // Looking for resources takes the locks of the path and of its jars, so it is pinned too. Reading them takes no
    // lock that loading needs.

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

    /** Pins in each call, because the search opens jars only while it is iterated over. */
    @SuppressWarnings("JdkObsolete") // the overridden method returns this type
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
