package org.trueasync.internal.testkit.disk;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The attributes of a path, to be read and set. */
final class NodeView implements PosixFileAttributeView {
    private final String name;
    private final Found found;

    /** Finds what has the path now. */
    interface Found {
        Node node() throws IOException;
    }

    NodeView(String name, Found found) {
        this.name = name;
        this.found = found;
    }

    /** As they were when they were asked for. */
    record Attributes(
            Object fileKey,
            long size,
            boolean isDirectory,
            FileTime creationTime,
            FileTime lastModifiedTime,
            FileTime lastAccessTime,
            Set<PosixFilePermission> permissions)
            implements PosixFileAttributes {
        static Attributes of(Node node) {
            return new Attributes(
                    node.key,
                    node.size(),
                    node.isFolder(),
                    node.created,
                    node.modified,
                    node.accessed,
                    copy(node.permissions));
        }

        @Override
        public boolean isRegularFile() {
            return !isDirectory;
        }

        @Override
        public boolean isSymbolicLink() {
            return false;
        }

        @Override
        public boolean isOther() {
            return false;
        }

        @Override
        public UserPrincipal owner() {
            throw VirtualFileSystemProvider.lacks("owners");
        }

        @Override
        public GroupPrincipal group() {
            throw VirtualFileSystemProvider.lacks("groups");
        }

        /** As {@link java.nio.file.Files#readAttributes(java.nio.file.Path, String, java.nio.file.LinkOption...)}. */
        Map<String, Object> byName(String wanted) {
            int colon = wanted.indexOf(':');
            String view = colon < 0 ? "basic" : wanted.substring(0, colon);
            if (!view.equals("basic") && !view.equals("posix"))
                throw VirtualFileSystemProvider.lacks("the attributes " + wanted);
            var all = new LinkedHashMap<String, Object>();
            all.put("fileKey", fileKey);
            all.put("size", size);
            all.put("isDirectory", isDirectory);
            all.put("isRegularFile", !isDirectory);
            all.put("isSymbolicLink", false);
            all.put("isOther", false);
            all.put("creationTime", creationTime);
            all.put("lastModifiedTime", lastModifiedTime);
            all.put("lastAccessTime", lastAccessTime);
            if (view.equals("posix")) all.put("permissions", permissions);
            List<String> names = List.of(wanted.substring(colon + 1).split(",", -1));
            if (names.contains("*")) return all;
            for (String name : names)
                if (!all.containsKey(name)) throw new IllegalArgumentException("'" + name + "' not recognized");
            all.keySet().retainAll(names);
            return all;
        }
    }

    /** Has the same order in every run. */
    private static Set<PosixFilePermission> copy(Set<PosixFilePermission> permissions) {
        Set<PosixFilePermission> copy = EnumSet.noneOf(PosixFilePermission.class);
        copy.addAll(permissions);
        return copy;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public PosixFileAttributes readAttributes() throws IOException {
        return Attributes.of(found.node());
    }

    @Override
    public void setTimes(@Nullable FileTime modified, @Nullable FileTime accessed, @Nullable FileTime created)
            throws IOException {
        Node node = found.node();
        node.modified = Objects.requireNonNullElse(modified, node.modified);
        node.accessed = Objects.requireNonNullElse(accessed, node.accessed);
        node.created = Objects.requireNonNullElse(created, node.created);
    }

    @Override
    public void setPermissions(Set<PosixFilePermission> permissions) throws IOException {
        found.node().permissions = copy(permissions);
    }

    /** As {@link java.nio.file.Files#setAttribute}. */
    void set(String attribute, Object value) throws IOException {
        switch (attribute.replaceFirst("^(basic|posix):", "")) {
            case "lastModifiedTime" -> setTimes((FileTime) value, null, null);
            case "lastAccessTime" -> setTimes(null, (FileTime) value, null);
            case "creationTime" -> setTimes(null, null, (FileTime) value);
            case "permissions" -> {
                var permissions = EnumSet.noneOf(PosixFilePermission.class);
                for (Object permission : (Set<?>) value) permissions.add((PosixFilePermission) permission);
                setPermissions(permissions);
            }
            default -> throw VirtualFileSystemProvider.lacks("the attribute " + attribute);
        }
    }

    @Override
    public UserPrincipal getOwner() {
        throw VirtualFileSystemProvider.lacks("owners");
    }

    @Override
    public void setOwner(UserPrincipal owner) {
        throw VirtualFileSystemProvider.lacks("owners");
    }

    @Override
    public void setGroup(GroupPrincipal group) {
        throw VirtualFileSystemProvider.lacks("groups");
    }
}
