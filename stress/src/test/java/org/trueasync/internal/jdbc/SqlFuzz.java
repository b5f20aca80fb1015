package org.trueasync.internal.jdbc;

import java.util.List;
import org.trueasync.stress.fuzz.Inputs;

/** What SQL text may do to a session, and what a URL must not tell. */
public final class SqlFuzz {
    public static final List<byte[]> SEEDS = Inputs.seeds(
            "SELECT 1; /* a */ BEGIN; -- b\nCOMMIT AND CHAIN",
            "{? = call f(1)}",
            "create or replace temp table a(b int); rollback to savepoint x",
            "SELECT $tag$;$tag$, 'a''b' INTO #t FROM \"x;y\"; SET LOCAL a = 1",
            "jdbc:postgresql://u:secret@h/d?password=secret&ssl=true",
            "jdbc:h2:mem:;PASSWORD=secret;MODE=x",
            "jdbc:oracle:thin:u/secret@h:1/x",
            "jdbc:mysql://(host=h,password=secret)/d");

    private SqlFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = Inputs.latin1(input);
        int effects = SqlEffects.of(text);
        if (effects < 0 || effects > 7) throw new AssertionError("effects " + effects);
        Inputs.same(effects, SqlEffects.of(text + "\n"), "with a blank behind");
        String masked = Urls.masked(text);
        Inputs.same(masked, Urls.masked(masked), "masked again");
        Urls.isPrivateMemory(text);
    }
}
