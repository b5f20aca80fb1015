package org.trueasync.launcher;

/** The command line, or what it names, can't be used; the message says why and what would do. The process ends with {@link Exit#USAGE}. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        // names from outside are repeated in it: they must not move the cursor of whoever reads it
        super(message.replaceAll("\\p{Cntrl}", "?"));
    }
}
