package org.trueasync.internal.dns;

/** The text of host names. */
public final class HostNames {
    private static final int MOST_SHOWN = 100;

    private HostNames() {}

    static boolean isLong(String host) {
        return host.length() > MOST_SHOWN;
    }

    /**
     * A host name as messages show it: of a long one the beginning, and how long it is.
     *
     * @param host any text
     */
    public static String shown(String host) {
        return isLong(host) ? host.substring(0, MOST_SHOWN) + "... (" + host.length() + " characters)" : host;
    }
}
