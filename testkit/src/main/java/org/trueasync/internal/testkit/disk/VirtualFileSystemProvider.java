package org.trueasync.internal.testkit.disk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.NotLinkException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A disk for {@link java.nio.file.Files} and {@link FileChannel}. It takes the ordinary paths of
 * the default file system. As in production, a call holds the loop until the disk is done: no other coroutine of the
 * host runs meanwhile. Everybody may do everything; permissions are only kept. What it does not have (links, file
 * stores, maps, asynchronous channels) throws an {@link UnsupportedOperationException} that names it.
 */
final class VirtualFileSystemProvider extends FileSystemProvider {
    private final VirtualDisk disk;
    /** The default file system's, for URIs. */
    private final FileSystemProvider real = FileSystems.getDefault().provider();

    VirtualFileSystemProvider(VirtualDisk disk) {
        this.disk = disk;
    }

    /** A call by path. */
    private interface Call<T> {
        T make();
    }

    private <T> T call(Path path, Call<T> call) throws IOException {
        try {
            return call.make();
        } catch (DiskError e) {
            throw e.of(path.toString());
        } finally {
            disk.held(false);
        }
    }

    private void change(Path path, Runnable call) throws IOException {
        call(path, () -> {
            call.run();
            return disk;
        });
    }

    // ---- URIs

    @Override
    public String getScheme() {
        return real.getScheme();
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> settings) throws IOException {
        return real.newFileSystem(uri, settings);
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return real.getFileSystem(uri);
    }

    @Override
    public Path getPath(URI uri) {
        return real.getPath(uri);
    }

    // ---- content

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        if (options.contains(StandardOpenOption.APPEND))
            for (var other : List.of(StandardOpenOption.READ, StandardOpenOption.TRUNCATE_EXISTING))
                if (options.contains(other)) throw new IllegalArgumentException("APPEND + " + other + " not allowed");
        var wanted = Options.of(options, attributes);
        return call(path, () -> new VirtualFileChannel(disk, disk.open(path, wanted), wanted));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
        return Channels.newInputStream(newByteChannel(path, Set.of(options)));
    }

    @Override
    public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
        var all = new ArrayList<>(
                options.length > 0
                        ? Arrays.asList(options)
                        : List.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING));
        if (all.contains(StandardOpenOption.READ)) throw new IllegalArgumentException("READ not allowed");
        all.add(StandardOpenOption.WRITE);
        return Channels.newOutputStream(newByteChannel(path, Set.copyOf(all)));
    }

    // ---- names

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        var paths = new ArrayList<Path>();
        try {
            disk.list(folder).forEach(name -> paths.add(folder.resolve(name)));
        } catch (DiskError e) {
            throw e.ofFolder(folder.toString());
        } finally {
            disk.held(false);
        }
        return new Listing(paths, filter);
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        var permissions = Options.permissions(VirtualDisk.FOLDER_MODE, attributes);
        change(folder, () -> disk.make(disk.place(folder), true, permissions));
    }

    @Override
    public void delete(Path path) throws IOException {
        change(path, () -> disk.delete(path));
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        boolean atomic = false;
        boolean replaces = false;
        for (CopyOption option : options) {
            if (option == StandardCopyOption.ATOMIC_MOVE) atomic = true;
            else if (option == StandardCopyOption.REPLACE_EXISTING) replaces = true;
            else if (option != LinkOption.NOFOLLOW_LINKS) throw lacks("the option " + option);
        }
        // As the JDK does: what is in the way is deleted first, unless the move is atomic. A crash may come in between.
        if (!atomic && isInTheWay(from, to, replaces)) change(to, () -> disk.delete(to));
        change(from, () -> disk.move(from, to));
    }

    @Override
    public void copy(Path from, Path to, CopyOption... options) throws IOException {
        boolean replaces = false;
        boolean keeps = false;
        for (CopyOption option : options) {
            if (option == StandardCopyOption.REPLACE_EXISTING) replaces = true;
            else if (option == StandardCopyOption.COPY_ATTRIBUTES) keeps = true;
            else if (option != LinkOption.NOFOLLOW_LINKS) throw lacks("the option " + option);
        }
        if (isInTheWay(from, to, replaces)) change(to, () -> disk.delete(to));
        boolean attributes = keeps;
        change(from, () -> disk.copy(from, to, attributes));
    }

    /** True if there is another file at the target, which may be replaced. */
    private boolean isInTheWay(Path from, Path to, boolean replaces) throws IOException {
        Node node = call(from, () -> disk.existing(from));
        Optional<Node> found = call(to, () -> Optional.ofNullable(disk.nodeOrNull(to)));
        if (found.isEmpty() || found.get() == node) return false;
        if (!replaces) throw new FileAlreadyExistsException(to.toString());
        return true;
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
        call(link, () -> disk.existing(link));
        throw new NotLinkException(link.toString());
    }

    @Override
    public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes) {
        throw lacks("symbolic links");
    }

    @Override
    public void createLink(Path link, Path existing) {
        throw lacks("hard links");
    }

    // ---- what is known of a path

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        if (one.equals(other)) return true;
        return call(one, () -> disk.existing(one)) == call(other, () -> disk.existing(other));
    }

    @Override
    public boolean isHidden(Path path) {
        Path name = path.getFileName();
        return name != null && name.toString().startsWith(".");
    }

    @Override
    public FileStore getFileStore(Path path) {
        throw lacks("file stores");
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        call(path, () -> disk.existing(path));
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        if (type != BasicFileAttributeView.class && type != PosixFileAttributeView.class) return null;
        String name = type == BasicFileAttributeView.class ? "basic" : "posix";
        return type.cast(new NodeView(name, () -> call(path, () -> disk.existing(path))));
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        if (type != BasicFileAttributes.class && type != PosixFileAttributes.class) throw lacks(type.getSimpleName());
        return type.cast(call(path, () -> NodeView.Attributes.of(disk.existing(path))));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return call(path, () -> NodeView.Attributes.of(disk.existing(path))).byName(attributes);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        new NodeView("posix", () -> call(path, () -> disk.existing(path))).set(attribute, value);
    }

    static UnsupportedOperationException lacks(String what) {
        return new UnsupportedOperationException("the simulated disk does not have " + what);
    }
}
