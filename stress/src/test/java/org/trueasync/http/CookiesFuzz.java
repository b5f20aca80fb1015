package org.trueasync.http;

import java.util.List;
import org.trueasync.stress.fuzz.Inputs;

/** The field {@code Cookie}; what a program may set comes back. */
public final class CookiesFuzz {
    public static final List<byte[]> SEEDS =
            Inputs.seeds("a=b; c=d", "a=\"b\"; a=c", "$Version=1; a=b; $Path=/", "a", "=;a==,");

    private CookiesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = Inputs.latin1(input);
        Cookie.find(List.of(text), "a");
        Cookie.find(List.of(text, "a=b"), "a");
        Cookie cookie;
        try {
            cookie = Cookie.of("a", text);
        } catch (IllegalArgumentException refused) {
            return;
        }
        String sent = cookie.field(false);
        Inputs.same(text, String.valueOf(Cookie.find(List.of(sent.substring(0, sent.indexOf(';'))), "a")), sent);
    }
}
