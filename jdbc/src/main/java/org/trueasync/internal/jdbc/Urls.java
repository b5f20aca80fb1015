package org.trueasync.internal.jdbc;

import java.util.Locale;
import java.util.regex.Pattern;

/** What URLs of JDBC tell by themselves. */
public final class Urls {
    private static final Pattern SECRET =
            Pattern.compile("((?:password|passwd|pwd|secret|token|[a-z]*key)=)[^&;,)]*", Pattern.CASE_INSENSITIVE);
    private static final Pattern USER_INFO = Pattern.compile("(//[^/@:]*:)[^/@]*@");
    private static final Pattern ORACLE = Pattern.compile("(jdbc:oracle:[a-z]+:[^/@]*/)[^@]*@");
    private static final Pattern PRIVATE_MEMORY = Pattern.compile(
            "jdbc:h2:mem:(?:;.*)?|jdbc:sqlite:(?::memory:.*|\\?.*)?|jdbc:sqlite:file::memory:(?!.*cache=shared).*|jdbc:duckdb:(?:;.*)?");

    private Urls() {}

    /**
     * As it may be shown.
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
