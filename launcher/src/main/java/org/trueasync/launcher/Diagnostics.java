package org.trueasync.launcher;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/** The launcher's way to standard error. Any thread. */
final class Diagnostics {
    /*
     * Not System.err: its lock may be held by a coroutine that was abandoned, and whoever waits for that one waits for ever.
     */
    private static final Charset ENCODING = Charset.forName(
            System.getProperty("stderr.encoding", Charset.defaultCharset().name()));

    private static final FileOutputStream RAW = new FileOutputStream(FileDescriptor.err);
    private static final PrintStream ERR = new PrintStream(RAW, true, ENCODING);

    private static final byte[] UNREPORTED =
            "trueasync: the program failed, and no memory is left to say how; give the JVM more with -Xmx\n"
                    .getBytes(ENCODING);

    private Diagnostics() {}

    /** Prints what is not about the program but about the command. */
    static void complain(String message) {
        print("trueasync: " + message);
    }

    /** Prints a report as it is. */
    static void print(String report) {
        ERR.print(report.endsWith("\n") ? report : report + System.lineSeparator());
        ERR.flush();
    }

    /** For an error that could not be reported: takes no memory. */
    static void lastResort() {
        try {
            RAW.write(UNREPORTED);
        } catch (IOException nobodyListens) {
            // there is no other way to say it
        }
    }

    /** For what the compiler says: a writer that must be flushed. */
    static PrintWriter writer() {
        return new PrintWriter(ERR, false, ENCODING);
    }
}
