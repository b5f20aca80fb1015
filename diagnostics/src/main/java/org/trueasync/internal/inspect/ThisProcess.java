package org.trueasync.internal.inspect;

/** What the JVM says of this process. */
final class ThisProcess {
    private ThisProcess() {}

    /** The main class and its arguments, in one line. */
    static String command() {
        return System.getProperty("sun.java.command", "").replaceAll("\\p{Cntrl}", " ");
    }
}
