package org.trueasync.launcher;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/** Prints the launcher's messages to standard error. Any thread. */
final class Diagnostics {
    /*
     * Does not use System.err: an abandoned coroutine may hold its lock for ever.
     */
    private static final Charset ENCODING = Charset.forName(
            System.getProperty("stderr.encoding", Charset.defaultCharset().name()));

    private static final FileOutputStream RAW = new FileOutputStream(FileDescriptor.err);
    private static final PrintStream ERR = new PrintStream(RAW, true, ENCODING);

    private static final byte[] UNREPORTED =
            "trueasync: the program failed, and no memory is left to say how; give the JVM more with -Xmx\n"
                    .getBytes(ENCODING);

    private Diagnostics() {}

    /** Prints a message about the command itself, not about the program. */
    static void printError(String message) {
        print("trueasync: " + message);
    }

    /** Prints a report as it is. */
    static void print(String report) {
        ERR.print(report.endsWith("\n") ? report : report + System.lineSeparator());
        ERR.flush();
    }

    /** Prints that an error could not be reported. Allocates nothing. */
    static void printUnreportable() {
        try {
            RAW.write(UNREPORTED);
        } catch (IOException nobodyListens) {
            // there is no other way to report it
        }
    }

    /** Returns a writer for the compiler's messages; the caller must flush it. */
    static PrintWriter writer() {
        return new PrintWriter(ERR, false, ENCODING);
    }
}
