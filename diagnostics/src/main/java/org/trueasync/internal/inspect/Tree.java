package org.trueasync.internal.inspect;

import java.io.IOException;
import java.io.Writer;
import org.trueasync.internal.diagnostics.RuntimeText;
import org.trueasync.internal.diagnostics.TreeText;
import org.trueasync.internal.diagnostics.TreeWalk;
import org.trueasync.internal.inspect.LoopReader.Unanswered;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * The trees of all runtimes as text.
 *
 * @param all whether nothing is left out
 */
record Tree(boolean all) implements Answer {
    @Override
    public void write(Writer out) throws IOException, InterruptedException {
        String between = "";
        for (Loop loop : Runtimes.all()) {
            out.write(between);
            write(out, loop);
            between = "\n";
        }
        if (between.isEmpty()) out.write("No runtime in this process\n");
    }

    private void write(Writer out, Loop loop) throws IOException, InterruptedException {
        var text = new StringBuilder();
        try {
            RuntimeText.head(text, loop);
            var tree = new TreeText(text, all ? TreeText.Limits.NONE : TreeText.Limits.READABLE, true);
            LoopReader.walk(loop, new TreeWalk(loop, tree), () -> taken(out, text));
            tree.end();
        } catch (Unanswered e) {
            text.append('\n').append(e.text());
        }
        out.write(text.append('\n').toString());
    }

    private static LoopReader.Taken taken(Writer out, StringBuilder text) {
        String soFar = text.toString();
        text.setLength(0);
        return () -> out.write(soFar);
    }
}
