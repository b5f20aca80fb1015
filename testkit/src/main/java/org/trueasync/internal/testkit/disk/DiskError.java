package org.trueasync.internal.testkit.disk;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SystemError;

/** What the disk refuses, before it is told in the words of whoever has asked. */
final class DiskError extends RuntimeException {
    private static final long serialVersionUID = 1;

    static final SystemError NO_SPACE = new SystemError("ENOSPC", "no space left on device");
    static final SystemError BROKEN = new SystemError("EIO", "input/output error");
    static final SystemError NOT_FOUND = new SystemError("ENOENT", "no such file or directory");
    static final SystemError EXISTS = new SystemError("EEXIST", "file exists");
    static final SystemError NO_FOLDER = new SystemError("ENOTDIR", "not a directory");
    static final SystemError IS_FOLDER = new SystemError("EISDIR", "is a directory");
    static final SystemError NOT_EMPTY = new SystemError("ENOTEMPTY", "directory not empty");
    static final SystemError INVALID = new SystemError("EINVAL", "invalid argument");
    static final SystemError BUSY = new SystemError("EBUSY", "device or resource busy");
    static final SystemError TOO_LARGE = new SystemError("EFBIG", "file too large");
    static final SystemError LONG_NAME = new SystemError("ENAMETOOLONG", "file name too long");
    static final SystemError CLOSED = new SystemError("EBADF", "bad file descriptor");

    final transient SystemError error;

    DiskError(SystemError error) {
        super(error.toString(), null, false, false);
        this.error = error;
    }

    /** As the reactors tell it. */
    InputOutputException of(String operation, String path) {
        return new InputOutputException(operation + " " + path + ": " + error, error.errno());
    }

    /** As the JDK tells it of a call by path. */
    FileSystemException of(String path) {
        if (error == NOT_FOUND) return new NoSuchFileException(path);
        if (error == EXISTS) return new FileAlreadyExistsException(path);
        if (error == NOT_EMPTY) return new DirectoryNotEmptyException(path);
        return new FileSystemException(path, null, text());
    }

    /** As the JDK tells it of a folder that is listed. */
    FileSystemException ofFolder(String path) {
        return error == NO_FOLDER ? new NotDirectoryException(path) : of(path);
    }

    /** As the JDK tells it of an open channel. */
    IOException ofChannel() {
        return new IOException(text());
    }

    private String text() {
        return Character.toUpperCase(error.text().charAt(0)) + error.text().substring(1);
    }
}
