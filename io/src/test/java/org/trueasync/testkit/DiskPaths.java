package org.trueasync.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/**
 * Paths whose provider is another one, so that a test reaches it through {@link java.nio.file.Files}, as it is written.
 * In all else they are those of the default file system.
 */
final class DiskPaths extends FileSystem {
    private final FileSystemProvider provider;

    DiskPaths(FileSystemProvider provider) {
        this.provider = provider;
    }

    private Path wrap(Path real) {
        return (Path)
                Proxy.newProxyInstance(Path.class.getClassLoader(), new Class<?>[] {Path.class}, (_, method, args) -> {
                    if (method.getName().equals("getFileSystem")) return this;
                    // asks the system, not the provider; without links it is this
                    if (method.getName().equals("toRealPath"))
                        return wrap(real.toAbsolutePath().normalize());
                    if (method.getName().equals("equals")) return real.equals(unwrap(args[0]));
                    Object[] plain = args == null ? null : args.clone();
                    for (int i = 0; plain != null && i < plain.length; i++) plain[i] = unwrap(plain[i]);
                    try {
                        Object result = method.invoke(real, plain);
                        return result instanceof Path path ? wrap(path) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Object unwrap(Object argument) {
        return argument instanceof Path path && Proxy.isProxyClass(path.getClass())
                ? Path.of(path.toString())
                : argument;
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public Path getPath(String first, String... more) {
        return wrap(Path.of(first, more));
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(getPath("/"));
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic", "posix");
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        PathMatcher real = FileSystems.getDefault().getPathMatcher(syntaxAndPattern);
        return path -> real.matches(Path.of(path.toString()));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new UnsupportedOperationException();
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException();
    }
}
