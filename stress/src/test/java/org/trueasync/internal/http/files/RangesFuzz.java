package org.trueasync.internal.http.files;

import java.time.Instant;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.trueasync.internal.http.files.ByteRanges.Part;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.stress.fuzz.Inputs;

/** What a request asks for of a file: {@code Range}, and conditions. The first byte is the size of the file. */
public final class RangesFuzz {
    public static final List<byte[]> SEEDS = Inputs.seeds(
            "\u0064bytes=0-9,20-,-5", "\u0005bytes= 1-1 ,, 3-4", "\0bytes=-0", "\u0064\"a\", W/\"b\",*", "\u0064*");

    private RangesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        long size = input.length == 0 ? 0 : input[0] & 0xff;
        String text = Inputs.latin1(Inputs.rest(input));
        List<Part> parts = ByteRanges.parse(text, size);
        if (parts != null) {
            var sent = new boolean[(int) size];
            for (Part part : parts)
                for (long at = part.first(); at <= part.last(); at++) {
                    if (sent[(int) at]) throw new AssertionError("byte " + at + " twice: " + parts);
                    sent[(int) at] = true;
                }
            if (parts.stream().anyMatch(part -> part.length() <= 0)) throw new AssertionError(parts);
        }
        var version = new Version(size, "\"b\"", Instant.EPOCH);
        for (String name :
                List.of("If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range")) {
            var fields = new Fields();
            fields.add(new HttpField(name, text));
            Conditions.check(fields, true, version);
            Conditions.allowsRanges(fields, version);
        }
    }
}
