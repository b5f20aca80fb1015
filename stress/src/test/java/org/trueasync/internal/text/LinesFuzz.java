package org.trueasync.internal.text;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.stress.fuzz.Inputs;

/** The lines of what a process writes: however it comes. */
public final class LinesFuzz {
    public static final List<byte[]> SEEDS = Inputs.seeds("a\r\nb\n\nc \u00e2\u0082\u00ac", "\n", "\r\r\n x");

    private LinesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        List<String> whole = LineSplitter.of(input);
        Inputs.same(whole, lines(new Inputs(input, 1)), "byte by byte");
        Inputs.same(whole, lines(new Inputs(input, 700)), "by 700 bytes");
    }

    private static List<String> lines(Inputs source) {
        var splitter = new LineSplitter();
        var all = new ArrayList<String>();
        for (ByteBuffer part = source.next(); part != null; part = source.next()) {
            splitter.add(part);
            for (String line = splitter.next(); line != null; line = splitter.next()) all.add(line);
        }
        String last = splitter.rest();
        if (last != null) all.add(last);
        return all;
    }
}
