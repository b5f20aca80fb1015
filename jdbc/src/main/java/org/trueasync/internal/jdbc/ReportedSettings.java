package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a session that the server reports with its answers, whatever has changed them: a text that
 * {@link SqlEffects} has misjudged, a function, a trigger. To read them costs no round trip. With PostgreSQL and its
 * driver: the time zone, the role, from version 18 on the search path, and some ten more.
 */
final class ReportedSettings {
    private static final DriverMethod REPORTED = new DriverMethod("getParameterStatuses");

    /** A state of the server, which no session changes. */
    private static final String ON_STANDBY = "in_hot_standby";

    private final Map<String, String> original;

    private ReportedSettings(Map<String, String> original) {
        this.original = original;
    }

    /** Returns the current settings; null if this driver reports none. */
    static @Nullable ReportedSettings of(Connection connection) {
        Map<String, String> now = reported(connection);
        return now == null ? null : new ReportedSettings(new HashMap<>(now));
    }

    /** True if all of them are as they were. */
    boolean areAsTheyWere(Connection connection) {
        Map<String, String> now = reported(connection);
        if (now == null || now.size() != original.size()) return false;
        for (Map.Entry<String, String> setting : now.entrySet()) {
            if (!setting.getValue().equals(original.get(setting.getKey()))
                    && !setting.getKey().equals(ON_STANDBY)) return false;
        }
        return true;
    }

    @SuppressWarnings("unchecked") // declared so by the driver
    private static @Nullable Map<String, String> reported(Connection connection) {
        return REPORTED.resultOn(connection) instanceof Map<?, ?> map ? (Map<String, String>) map : null;
    }
}
