package org.trueasync.internal.testkit.disk;

import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * How a file is opened, as {@link java.nio.channels.FileChannel#open} understands its options.
 *
 * @param syncs whether each write is followed by a sync
 * @param deletes whether the name is removed as soon as the file is open
 */
record Options(
        boolean reads,
        boolean writes,
        boolean appends,
        boolean creates,
        boolean createsNew,
        boolean truncates,
        boolean deletes,
        boolean syncs,
        Set<PosixFilePermission> permissions) {
    static Options of(Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        for (OpenOption option : options)
            if (!(option instanceof StandardOpenOption) && option != LinkOption.NOFOLLOW_LINKS)
                throw new UnsupportedOperationException("the simulated disk does not have the option " + option);
        boolean appends = options.contains(StandardOpenOption.APPEND);
        boolean writes = appends || options.contains(StandardOpenOption.WRITE);
        boolean createsNew = writes && options.contains(StandardOpenOption.CREATE_NEW);
        return new Options(
                !writes || options.contains(StandardOpenOption.READ),
                writes,
                appends,
                createsNew || (writes && options.contains(StandardOpenOption.CREATE)),
                createsNew,
                writes && options.contains(StandardOpenOption.TRUNCATE_EXISTING),
                options.contains(StandardOpenOption.DELETE_ON_CLOSE),
                options.contains(StandardOpenOption.SYNC) || options.contains(StandardOpenOption.DSYNC),
                permissions(VirtualDisk.FILE_MODE, attributes));
    }

    /** The permissions among the attributes of something that is created. */
    static Set<PosixFilePermission> permissions(Set<PosixFilePermission> usual, FileAttribute<?>... attributes) {
        Set<PosixFilePermission> found = usual;
        for (FileAttribute<?> attribute : attributes) {
            if (!attribute.name().equals("posix:permissions") || !(attribute.value() instanceof Set<?> permissions))
                throw new UnsupportedOperationException(
                        "the simulated disk does not have the attribute " + attribute.name());
            found = EnumSet.noneOf(PosixFilePermission.class);
            for (Object permission : permissions) found.add((PosixFilePermission) permission);
        }
        return found;
    }
}
