package org.trueasync.reactor.nio;

import static org.trueasync.reactor.nio.FaultyCalls.call;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Set;

/** The system's files under paths of a file system of its own, whose open files may fail ({@link FaultyFile}). */
final class FaultyFiles extends FileSystem {
    private final FileSystem real;
    private final FileSystemProvider provider;

    private FaultyFiles(FileSystem real) {
        this.real = real;
        this.provider = new Provider(real.provider());
    }

    /** Knows the path that it stands for. */
    private interface Standing extends Path {
        Path realPath();
    }

    /** Returns a path whose file may fail. */
    static Path of(Path path) {
        var system = new FaultyFiles(path.getFileSystem());
        return (Path) Proxy.newProxyInstance(
                FaultyFiles.class.getClassLoader(), new Class<?>[] {Standing.class}, (self, method, arguments) -> {
                    if (method.getName().equals("getFileSystem")) return system;
                    if (method.getName().equals("realPath")) return path;
                    try {
                        return method.invoke(path, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Path real(Path path) {
        return path instanceof Standing standing ? standing.realPath() : path;
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return real.isReadOnly();
    }

    @Override
    public String getSeparator() {
        return real.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return real.getRootDirectories();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return real.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return real.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
        return of(real.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
        return real.getPathMatcher(pattern);
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return real.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() throws IOException {
        return real.newWatchService();
    }

    private static final class Provider extends FileSystemProvider {
        private final FileSystemProvider real;

        Provider(FileSystemProvider real) {
            this.real = real;
        }

        @Override
        public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            return call(
                    "FileChannel.open",
                    () -> new FaultyFile(real.newFileChannel(FaultyFiles.real(path), options, attributes)));
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            return real.readAttributes(FaultyFiles.real(path), type, options);
        }

        @Override
        public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
                throws IOException {
            return real.readAttributes(FaultyFiles.real(path), attributes, options);
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            real.checkAccess(FaultyFiles.real(path), modes);
        }

        @Override
        public void delete(Path path) throws IOException {
            real.delete(FaultyFiles.real(path));
        }

        @Override
        public String getScheme() {
            return "faulty";
        }

        @Override
        public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileSystem getFileSystem(URI uri) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Path getPath(URI uri) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
            return newFileChannel(path, options, attributes);
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void createDirectory(Path folder, FileAttribute<?>... attributes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void copy(Path source, Path target, CopyOption... options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void move(Path source, Path target, CopyOption... options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isSameFile(Path path, Path other) throws IOException {
            return real.isSameFile(FaultyFiles.real(path), FaultyFiles.real(other));
        }

        @Override
        public boolean isHidden(Path path) {
            return false;
        }

        @Override
        public FileStore getFileStore(Path path) throws IOException {
            return real.getFileStore(FaultyFiles.real(path));
        }

        @Override
        public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
            return real.getFileAttributeView(FaultyFiles.real(path), type, options);
        }

        @Override
        public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
            real.setAttribute(FaultyFiles.real(path), attribute, value, options);
        }
    }
}
