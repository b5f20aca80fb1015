package org.trueasync.launcher;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.inspect.JsonWriter;

/** The counts of a process, second by second: it keeps none itself. Any thread. */
final class Samples {
    private static final int MAX = 600;
    private static final long EVERY_MILLIS = 1_000;
    /** A page asks each second, so it has seen the end after this. */
    private static final long FAREWELL_SECONDS = 3;

    private final Inspected process;
    private final ArrayDeque<String> last = new ArrayDeque<>();
    private final CountDownLatch farewell = new CountDownLatch(1);
    private String program = "";
    private long taken;
    private boolean hasEnded;
    private @Nullable String problem;

    Samples(Inspected process) {
        this.process = process;
    }

    /** Takes the first one, after which there is something to show. */
    void take() throws UsageException, Question.Ended {
        if (program.isEmpty()) process.ask("ps", line -> program = Processes.program(line.split("\t", -1)[4]));
        var sample = new StringJoiner("\n");
        process.ask("json --stats", sample::add);
        add(sample.toString());
    }

    private synchronized void add(String sample) {
        if (last.size() == MAX) last.removeFirst();
        last.add(sample);
        taken++;
        problem = null;
    }

    /** Takes one each second. Returns when the process has ended, and a page that is open has been told. */
    void takeUntilTheEnd() throws InterruptedException {
        while (true) {
            TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
            try {
                take();
            } catch (UsageException | Question.Ended e) {
                if (end(String.valueOf(e.getMessage()))) break;
            }
        }
        if (!farewell.await(FAREWELL_SECONDS, TimeUnit.SECONDS)) return;
        TimeUnit.MILLISECONDS.sleep(100); // the answer that tells it goes out
    }

    private synchronized boolean end(String why) {
        hasEnded = process.hasEnded();
        problem = hasEnded ? "Process " + process.pid() + " has ended" : why;
        return hasEnded;
    }

    /** Why there are no more, or null if there are. */
    synchronized @Nullable String problem() {
        return problem;
    }

    /**
     * What a page does not have yet, as JSON.
     *
     * @param after how many had been taken when it asked before; 0 or less for all
     */
    synchronized String after(long after) {
        var text = new StringWriter();
        try {
            var json = new JsonWriter(text);
            json.beginObject();
            json.name("pid").value(process.pid());
            json.name("program").value(program);
            json.name("problem").value(problem);
            json.name("ended").value(hasEnded);
            json.name("taken").value(taken);
            json.name("samples");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        if (hasEnded) farewell.countDown();
        List<String> all = new ArrayList<>(last);
        int wanted = (int) Math.clamp(taken - after, 0L, all.size());
        return text + "[" + String.join(",\n", all.subList(all.size() - wanted, all.size())) + "]}";
    }
}
