package org.trueasync.internal.jdbc;

import java.util.Locale;
import java.util.Set;

/**
 * What SQL text may do to a session beyond its data: begin or end a transaction, change settings that outlive it. Looks
 * at the first words of each statement and for a few names in it, and assumes too much rather than too little: an
 * unknown first word may do anything.
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
            "NOTIFY",
            "IMPORT",
            "SECURITY",
            "CHECKPOINT",
            "RENAME",
            "OPTIMIZE");
    private static final Set<String> MAY_BEGIN_ONLY = Set.of("BEGIN", "START", "CALL", "EXEC", "EXECUTE");
    private static final Set<String> ENDING = Set.of("COMMIT", "ROLLBACK", "END", "ABORT");

    /** Words that may stand between CREATE and the word that tells what is created, and for how long. */
    private static final Set<String> BEFORE_KIND = Set.of("OR", "REPLACE", "CACHED", "MEMORY", "UNLOGGED", "RECURSIVE");

    private static final Set<String> TEMPORARY = Set.of("TEMP", "TEMPORARY", "LOCAL", "GLOBAL", "VOLATILE", "PRIVATE");

    private SqlEffects() {}

    /**
     * Returns the effects of all statements in the text, together; the end of a transaction cancels a beginning before
     * it.
     */
    static int of(String sql) {
        if (isHardToRead(sql)) return ANYTHING;
        int effects = NONE;
        int at = 0;
        while (at < sql.length()) {
            int word = skipBlank(sql, at);
            if (word == sql.length()) break;
            // JDBC's escape for calls, brackets around a query
            if ("{(?=".indexOf(sql.charAt(word)) >= 0) {
                at = word + 1;
                if (sql.charAt(word) == '{') effects |= MAY_BEGIN;
                continue;
            }
            int end = word;
            while (end < sql.length() && Character.isLetter(sql.charAt(end))) end++;
            int statementEffects = effectsOf(sql, sql.substring(word, end).toUpperCase(Locale.ROOT), end);
            effects = joined(effects, statementEffects);
            at = nextStatement(sql, end);
        }
        return effects;
    }

    /** Returns the effects of one text after another: the end of a transaction cancels a beginning before it. */
    static int joined(int first, int second) {
        return (second & ENDS) != 0 ? (first & ~MAY_BEGIN) | second : first | second;
    }

    private static int effectsOf(String sql, String word, int end) {
        if (HARMLESS.contains(word)) return touchesSession(sql, word, end) ? TOUCHES_SESSION : NONE;
        if (ENDING.contains(word)) return effectsOfEnd(sql, end);
        String next = wordAt(sql, end);
        return switch (word) {
            case "CREATE" -> createsTemporary(sql, end) ? TOUCHES_SESSION : NONE;
            case "ALTER" -> next.equals("SESSION") ? TOUCHES_SESSION : NONE;
            // MySQL's locks, which are held until the session unlocks them
            case "LOCK" -> next.equals("TABLES") ? TOUCHES_SESSION : NONE;
            case "SET" ->
                next.equals("LOCAL") || next.equals("TRANSACTION") || next.equals("CONSTRAINTS") ? MAY_BEGIN : ANYTHING;
            default -> MAY_BEGIN_ONLY.contains(word) && !next.equals("IMMEDIATE") ? MAY_BEGIN : ANYTHING;
        };
    }

    /**
     * Returns the effects of COMMIT and its like. ROLLBACK TO a savepoint ends nothing; AND CHAIN begins the next
     * transaction.
     */
    private static int effectsOfEnd(String sql, int end) {
        int at = end;
        String next = wordAt(sql, at);
        if (next.equals("WORK") || next.equals("TRANSACTION") || next.equals("TRAN")) {
            at = behindWord(sql, at);
            next = wordAt(sql, at);
        }
        if (next.equals("TO")) return NONE;
        boolean chains = next.equals("AND") && wordAt(sql, behindWord(sql, at)).equals("CHAIN");
        return chains ? ENDS | MAY_BEGIN : ENDS;
    }

    private static boolean createsTemporary(String sql, int end) {
        int at = end;
        String word = wordAt(sql, at);
        while (BEFORE_KIND.contains(word)) {
            at = behindWord(sql, at);
            word = wordAt(sql, at);
        }
        if (TEMPORARY.contains(word)) return true;
        // SQL Server's temporary tables
        return word.equals("TABLE") && sql.startsWith("#", skipBlank(sql, behindWord(sql, at)));
    }

    /** Returns the next word in upper case; empty if something else comes. */
    private static String wordAt(String sql, int from) {
        return sql.substring(skipBlank(sql, from), behindWord(sql, from)).toUpperCase(Locale.ROOT);
    }

    private static int behindWord(String sql, int from) {
        int at = skipBlank(sql, from);
        while (at < sql.length() && Character.isJavaIdentifierPart(sql.charAt(at))) at++;
        return at;
    }

    private static boolean touchesSession(String sql, String word, int from) {
        return takesLock(sql, from)
                || ((word.equals("SELECT") || word.equals("WITH")) && makesTemporaryTable(sql, from));
    }

    /** True if the text names the function of MySQL that takes a lock for the session. */
    private static boolean takesLock(String sql, int from) {
        for (int i = sql.indexOf('_', from); i >= 0; i = sql.indexOf('_', i + 1))
            if (sql.regionMatches(true, i - 3, "get_lock(", 0, 9)) return true;
        return false;
    }

    /** True for SELECT INTO TEMPORARY, or INTO #name. */
    private static boolean makesTemporaryTable(String sql, int from) {
        for (int i = from; i < sql.length() - 6; i++) {
            if (!Character.isWhitespace(sql.charAt(i)) || !sql.regionMatches(true, i + 1, "INTO", 0, 4)) continue;
            String next = wordAt(sql, i + 5);
            if (next.equals("TEMP") || next.equals("TEMPORARY") || sql.startsWith("#", skipBlank(sql, i + 5)))
                return true;
        }
        return false;
    }

    /**
     * True if the text has what databases read differently: backslashes in quotes, comments in comments, MySQL's
     * comments that are executed.
     */
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

    /** Returns the position behind the comment that begins here; the same position if there is none. */
    private static int afterComment(String sql, int at) {
        if (sql.startsWith("--", at)) return orEnd(sql, sql.indexOf('\n', at), 1);
        if (sql.startsWith("/*", at)) return orEnd(sql, sql.indexOf("*/", at + 2), 2);
        return at;
    }

    private static int orEnd(String sql, int found, int length) {
        return found < 0 ? sql.length() : found + length;
    }

    /** Returns the position behind the semicolon that ends this statement; one in quotes or in a comment ends none. */
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
        // a dollar sign in the middle of a name
        if (at > 0 && Character.isJavaIdentifierPart(sql.charAt(at - 1))) return at + 1;
        int tagEnd = at + 1;
        while (tagEnd < sql.length() && Character.isJavaIdentifierPart(sql.charAt(tagEnd)) && sql.charAt(tagEnd) != '$')
            tagEnd++;
        if (tagEnd >= sql.length() || sql.charAt(tagEnd) != '$') return at + 1;
        String tag = sql.substring(at, tagEnd + 1);
        return orEnd(sql, sql.indexOf(tag, tagEnd + 1), tag.length());
    }
}
