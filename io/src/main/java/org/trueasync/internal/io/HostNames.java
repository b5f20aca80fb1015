package org.trueasync.internal.io;

import org.trueasync.internal.text.Printable;

/** The text of host names. */
final class HostNames {
    private static final int MAX_SHOWN = 100;

    private HostNames() {}

    static boolean isLong(String host) {
        return host.length() > MAX_SHOWN;
    }

    /**
     * Returns a host name as messages show it: a long one is cut, and its length is added; its control characters are
     * visible.
     *
     * @param host any text
     */
    static String shown(String host) {
        if (!isLong(host)) return Printable.of(host);
        return Printable.of(host.substring(0, MAX_SHOWN)) + "... (" + host.length() + " characters)";
    }
}
