package org.trueasync.internal.jdbc;

import java.util.Locale;
import java.util.Set;

/**
 * What SQL text may do to a session beyond its data: begin or end a transaction, change settings that outlive it. Looks at the first word of each statement, and knows
 * too much rather than too little: an unknown word may do anything.
 */
final class SqlEffects {
    static final int NONE = 0;
    static final int MAY_BEGIN = 1;
    static final int ENDS = 2;
    static final int TOUCHES_SESSION = 4;
    private static final int ANYTHING = MAY_BEGIN | TOUCHES_SESSION;

    private static final Set<String> HARMLESS = Set.of(
            "SELECT",
            "INSERT",
            "UPDATE",
            "DELETE",
            "MERGE",
            "REPLACE",
            "UPSERT",
            "WITH",
            "VALUES",
            "TABLE",
            "EXPLAIN",
            "SHOW",
            "DESCRIBE",
            "DROP",
            "TRUNCATE",
            "COMMENT",
            "GRANT",
            "REVOKE",
            "ANALYZE",
            "VACUUM",
            "COPY",
            "SAVEPOINT",
            "RELEASE",
            "REINDEX",
            "CLUSTER",
            "REFRESH",
            "FETCH",
            "MOVE",
            "CLOSE",
            "LOCK",
            "NOTIFY",
            "EXECUTE",
            "IMPORT",
            "SECURITY",
            "CHECKPOINT",
            "RENAME",
            "OPTIMIZE");
    private static final Set<String> MAY_BEGIN_ONLY = Set.of("BEGIN", "START", "CALL", "EXEC");
    private static final Set<String> ENDING = Set.of("COMMIT", "ROLLBACK", "END", "ABORT");

    private SqlEffects() {}

    /** The effects of all statements in the text, together; an end undoes a beginning before it. */
    static int of(String sql) {
        if (isHardToRead(sql)) return ANYTHING;
        int effects = NONE;
        int at = 0;
        while (at < sql.length()) {
            int word = skipBlank(sql, at);
            if (word == sql.length()) break;
            // an escape for calls, brackets around a query
            if ("{(?=".indexOf(sql.charAt(word)) >= 0) {
                at = word + 1;
                if (sql.charAt(word) == '{') effects |= MAY_BEGIN;
                continue;
            }
            int end = word;
            while (end < sql.length() && Character.isLetter(sql.charAt(end))) end++;
            int one = effectsOf(sql, sql.substring(word, end).toUpperCase(Locale.ROOT), end);
            effects = (one & ENDS) != 0 ? (effects & ~MAY_BEGIN) | one : effects | one;
            at = nextStatement(sql, end);
        }
        return effects;
    }

    private static int effectsOf(String sql, String word, int end) {
        if (HARMLESS.contains(word))
            return callsSessionFunction(sql, end) || selectsIntoTemporary(sql, word, end) ? TOUCHES_SESSION : NONE;
        if (MAY_BEGIN_ONLY.contains(word)) return MAY_BEGIN;
        // ROLLBACK TO a savepoint ends nothing
        if (ENDING.contains(word)) return "ROLLBACK".equals(word) && followedBy(sql, end, "TO") ? NONE : ENDS;
        return switch (word) {
            case "CREATE" -> mentions(sql, end, "TEMP") || mentions(sql, end, "TEMPORARY") ? TOUCHES_SESSION : NONE;
            case "ALTER" -> followedBy(sql, end, "SESSION") ? TOUCHES_SESSION : NONE;
            case "SET" ->
                followedBy(sql, end, "LOCAL")
                                || followedBy(sql, end, "TRANSACTION")
                                || followedBy(sql, end, "CONSTRAINTS")
                        ? MAY_BEGIN
                        : ANYTHING;
            default -> ANYTHING;
        };
    }

    private static boolean followedBy(String sql, int end, String word) {
        int next = skipBlank(sql, end);
        return sql.regionMatches(true, next, word, 0, word.length());
    }

    /** Functions that a query may call to change its session. */
    private static boolean callsSessionFunction(String sql, int from) {
        for (int i = sql.indexOf('_', from); i >= 0; i = sql.indexOf('_', i + 1)) {
            if (sql.regionMatches(true, i, "_advisory_", 0, 10)
                    || sql.regionMatches(true, i, "_lock(", 0, 6)
                    || sql.regionMatches(true, i - 3, "set_config", 0, 10)) return true;
        }
        return false;
    }

    private static boolean selectsIntoTemporary(String sql, String word, int from) {
        return ("SELECT".equals(word) || "WITH".equals(word))
                && mentions(sql, from, "INTO")
                && (mentions(sql, from, "TEMP") || mentions(sql, from, "TEMPORARY"));
    }

    /** Whether the word is there, or the end of a name like pg_temp. */
    private static boolean mentions(String sql, int from, String word) {
        int last = sql.length() - word.length();
        for (int i = from; i <= last; i++) {
            if (sql.regionMatches(true, i, word, 0, word.length())
                    && !Character.isLetterOrDigit(sql.charAt(i - 1))
                    && (i == last || !Character.isJavaIdentifierPart(sql.charAt(i + word.length())))) return true;
        }
        return false;
    }

    /** Databases don't agree about backslashes in quotes, comments in comments, and MySQL's comments that are executed. */
    private static boolean isHardToRead(String sql) {
        if (sql.indexOf('\\') >= 0 && sql.indexOf(';') >= 0) return true;
        for (int i = sql.indexOf("/*"); i >= 0; ) {
            int end = sql.indexOf("*/", i + 2);
            int next = sql.indexOf("/*", i + 2);
            if (sql.startsWith("!", i + 2) || sql.startsWith("M!", i + 2) || (next >= 0 && next < end)) return true;
            i = next;
        }
        return false;
    }

    private static int skipBlank(String sql, int from) {
        int at = from;
        while (at < sql.length()) {
            int after = afterComment(sql, at);
            if (after > at) at = after;
            else if (Character.isWhitespace(sql.charAt(at)) || sql.charAt(at) == ';') at++;
            else return at;
        }
        return at;
    }

    /** Behind the comment that begins here, or just here. */
    private static int afterComment(String sql, int at) {
        if (sql.startsWith("--", at)) return orEnd(sql, sql.indexOf('\n', at), 1);
        if (sql.startsWith("/*", at)) return orEnd(sql, sql.indexOf("*/", at + 2), 2);
        return at;
    }

    private static int orEnd(String sql, int found, int length) {
        return found < 0 ? sql.length() : found + length;
    }

    /** Behind the semicolon that ends this statement; one in quotes or in a comment ends none. */
    private static int nextStatement(String sql, int from) {
        if (sql.indexOf(';', from) < 0) return sql.length();
        int at = from;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            int after = afterComment(sql, at);
            if (after > at) at = after;
            else if (c == ';') return at + 1;
            else if (c == '\'' || c == '"' || c == '`') at = orEnd(sql, sql.indexOf(c, at + 1), 1);
            else if (c == '$') at = afterDollarQuote(sql, at);
            else at++;
        }
        return at;
    }

    private static int afterDollarQuote(String sql, int at) {
        int tagEnd = at + 1;
        while (tagEnd < sql.length() && Character.isJavaIdentifierPart(sql.charAt(tagEnd)) && sql.charAt(tagEnd) != '$')
            tagEnd++;
        if (tagEnd >= sql.length() || sql.charAt(tagEnd) != '$') return at + 1;
        String tag = sql.substring(at, tagEnd + 1);
        return orEnd(sql, sql.indexOf(tag, tagEnd + 1), tag.length());
    }
}
