package org.trueasync.launcher;

/**
 * Thrown if the command line, or something that it names, can't be used. The message says why, and what to do. The
 * process ends with {@link Exit#USAGE}.
 */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        // the message repeats names from outside, whose control characters must not reach the terminal
        super(message.replaceAll("\\p{Cntrl}", "?"));
    }
}
