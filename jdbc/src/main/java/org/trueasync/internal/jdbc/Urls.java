package org.trueasync.internal.jdbc;

import java.util.Locale;
import java.util.regex.Pattern;

/** Facts that a JDBC URL tells without its driver. */
public final class Urls {
    /**
     * A setting whose value is secret. The value ends where another setting begins; any other separator belongs to it.
     */
    private static final Pattern SECRET = Pattern.compile(
            "((?:pass[a-z]*|pwd|[a-z_]*secret[a-z_]*|[a-z_]*token|credentials?|[a-z_]*key)\\s*=).*?(?=[&;,)(]+\\s*[a-z][\\w. -]*=|[)]*$)",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern USER_INFO = Pattern.compile("(//[^/@:?;]*:)[^?;]*@");
    private static final Pattern ORACLE =
            Pattern.compile("(jdbc:oracle:[a-z0-9]+:[^/@]*/).*@", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern PRIVATE_MEMORY = Pattern.compile("jdbc:h2:mem:(?:;.*)?"
            + "|jdbc:sqlite:(?::memory:.*|\\?.*)?"
            + "|jdbc:sqlite:file:(?::memory:|.*[?&]mode=memory)(?!.*cache=shared).*"
            + "|jdbc:duckdb:(?::memory:)?(?:;.*)?");

    private Urls() {}

    /**
     * Returns the URL with its secrets replaced by asterisks.
     *
     * @param url any text
     */
    public static String masked(String url) {
        String text = SECRET.matcher(url).replaceAll("$1***");
        text = USER_INFO.matcher(text).replaceAll("$1***@");
        return ORACLE.matcher(text).replaceAll("$1***@");
    }

    /**
     * True if each connection would get a database of its own.
     *
     * @param url of JDBC
     */
    public static boolean isPrivateMemory(String url) {
        return PRIVATE_MEMORY.matcher(url.toLowerCase(Locale.ROOT)).matches();
    }
}
