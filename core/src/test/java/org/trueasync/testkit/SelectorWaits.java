package org.trueasync.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.LinkedHashMap;
import java.util.Map;

/** The JDK's waits for selectors. */
final class SelectorWaits {
    private SelectorWaits() {}

    static Map<String, SocketWait.Maker> all() {
        var all = new LinkedHashMap<String, SocketWait.Maker>();
        SocketWaits.timed(all, "Selector.select", SelectorWaits::select);
        all.put("Selector.selectNow", () -> nothingToWaitFor(false));
        all.put("Selector.select, woken before", () -> nothingToWaitFor(true));
        return all;
    }

    private static SocketWait select(int limit) throws IOException {
        var wait = new SocketWait();
        Selector selector = wait.hold(Selector.open());
        Pipe[] pipes = {pipe(wait, selector), pipe(wait, selector)};
        return wait.closing(selector)
                .end("data", () -> pipes[1].sink().write(ByteBuffer.allocate(1)))
                .end("a peer closes", pipes[0].sink()::close)
                .end("a wake-up", selector::wakeup)
                .as(() -> selector.select(limit));
    }

    /** Ends before anybody could do anything. */
    private static SocketWait nothingToWaitFor(boolean woken) throws IOException {
        var wait = new SocketWait();
        Selector selector = wait.hold(Selector.open());
        Pipe pipe = pipe(wait, selector);
        if (woken) selector.wakeup();
        return wait.byItself().as(() -> {
            int first = woken ? selector.select() : selector.selectNow();
            pipe.sink().write(ByteBuffer.allocate(1));
            return first + ", then " + selector.select();
        });
    }

    private static Pipe pipe(SocketWait wait, Selector selector) throws IOException {
        Pipe pipe = Pipe.open();
        wait.hold(pipe.sink());
        wait.hold(pipe.source());
        pipe.source().configureBlocking(false);
        pipe.source().register(selector, SelectionKey.OP_READ);
        return pipe;
    }
}
