// Runs two commands, the first one's output being the second one's input, and tells how many bytes went through, which
// a shell's | cannot.
//
//   trueasync run Pipeline.java COMMAND... '|' COMMAND...
//   trueasync run Pipeline.java                            seq 1 200000 | wc -l
//
// Whoever is slower holds the other one up: memory holds no more than one buffer.
import static org.trueasync.Async.*;

import java.nio.ByteBuffer;
import org.trueasync.*;
import org.trueasync.io.*;

void main(String[] args) {
    var words = args.length == 0 ? List.of("seq", "1", "200000", "|", "wc", "-l") : List.of(args);
    int bar = words.indexOf("|");
    if (bar < 1 || bar == words.size() - 1) {
        System.err.println("usage: Pipeline.java COMMAND... '|' COMMAND...");
        System.exit(2);
    }
    int status;
    // Both are closed in any case, which ends a command that still runs.
    try (var producer = Exec.of(words.subList(0, bar)).inheritError().start();
            var consumer = Exec.of(words.subList(bar + 1, words.size())).inheritError().start()) {
        producer.stdin().close();
        Coroutine<Long> through = spawn(() -> pump(producer.stdout(), consumer.stdin()));
        print(consumer.stdout());
        status = consumer.await();
        IO.println("%,d bytes went through; exit %d and %d".formatted(await(through), producer.await(), status));
    }
    if (status != 0) System.exit(status);
}

/**
 * Pumps until the producer has ended or the consumer wants no more. Then closes both, so that the other one learns it.
 */
long pump(Pipe from, Pipe to) {
    long bytes = 0;
    var buffer = ByteBuffer.allocateDirect(64 * 1024);
    try (from; to) {
        while (from.read(buffer.clear()) >= 0) {
            bytes += buffer.flip().remaining();
            to.write(buffer);
        }
    } catch (InputOutputException e) {
        if (!e.errno().equals("EPIPE")) throw e;
    }
    return bytes;
}

void print(Pipe from) {
    var buffer = ByteBuffer.allocate(64 * 1024);
    while (from.read(buffer.clear()) >= 0) System.out.write(buffer.array(), 0, buffer.position());
    System.out.flush();
}
