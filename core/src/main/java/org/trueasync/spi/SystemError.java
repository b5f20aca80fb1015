package org.trueasync.spi;

/**
 * An error of the operating system.
 *
 * @param errno its name, {@code ECONNREFUSED}
 * @param text the system's words for it, {@code connection refused}
 */
public record SystemError(String errno, String text) {
    @Override
    public String toString() {
        return errno + " (" + text + ")";
    }
}
