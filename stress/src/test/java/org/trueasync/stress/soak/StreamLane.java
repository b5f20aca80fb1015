package org.trueasync.stress.soak;

import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.io.ByteStream;

/**
 * Connections, each with a few hundred buffers of numbers from 0 and an answer to each buffer. One buffer in a hundred
 * meets a fault: the reader leaves, the writer leaves, a write is cancelled, which ends the connection too, or a read,
 * which loses nothing. What has come is a beginning of what was sent, and has all that was answered.
 */
final class StreamLane implements Lane {
    private static final int BUFFER = 8 * 1024;
    private static final int BUFFERS = 400;

    private final Callable<? extends ByteStream> connect;
    private final Callable<? extends ByteStream> accept;

    StreamLane(Callable<? extends ByteStream> connect, Callable<? extends ByteStream> accept) {
        this.connect = connect;
        this.accept = accept;
    }

    @Override
    public void run(Soak soak, Tally tally) throws Exception {
        while (!soak.isOver()) new Connection(soak, tally).run();
    }

    private final class Connection {
        private final Soak soak;
        private final Tally tally;
        private long sent;
        private long received;
        private long answered;
        private boolean faulty;

        Connection(Soak soak, Tally tally) {
            this.soak = soak;
            this.tally = tally;
        }

        void run() throws Exception {
            Coroutine<?> reader = Async.spawn(() -> {
                try (ByteStream stream = accept.call()) {
                    read(stream);
                } catch (InputOutputException e) {
                    if (!faulty) throw e;
                }
            });
            try (ByteStream stream = connect.call()) {
                Coroutine<?> answers = Async.spawn(() -> answers(stream));
                try {
                    write(stream);
                } catch (InputOutputException e) {
                    if (!faulty) throw e;
                }
                if (faulty) stream.close();
                answers.await();
            }
            reader.await();
            if (answered > received)
                throw new AssertionError(answered + " were answered, and " + received + " have come");
            if (!faulty && received != sent) throw new AssertionError(received + " of " + sent + " have come");
            tally.messages += received;
        }

        private void fault() {
            faulty = true;
            tally.faults++;
        }

        private void write(ByteStream stream) {
            var buffer = ByteBuffer.allocate(BUFFER);
            for (int i = 0; i < BUFFERS && !soak.isOver(); i++) {
                buffer.clear();
                while (buffer.hasRemaining()) buffer.putLong(sent++);
                buffer.flip();
                if (!soak.isFault()) {
                    stream.write(buffer);
                    continue;
                }
                fault();
                if (soak.random.nextBoolean()) soak.cut(() -> stream.write(buffer));
                return;
            }
            stream.shutdownOutput();
        }

        private void read(ByteStream stream) {
            var buffer = ByteBuffer.allocate(BUFFER);
            var answer = ByteBuffer.allocate(Long.BYTES);
            while (true) {
                boolean fault = soak.random.nextInt(200) == 0;
                if (fault && soak.random.nextBoolean()) {
                    fault();
                    return;
                }
                var count = new int[1];
                if (fault) {
                    tally.faults++;
                    soak.cut(() -> count[0] = stream.read(buffer));
                }
                if (count[0] == 0) count[0] = stream.read(buffer);
                if (count[0] < 0) return;
                buffer.flip();
                while (buffer.remaining() >= Long.BYTES) {
                    long number = buffer.getLong();
                    if (number != received++)
                        throw new AssertionError(number + " has come as number " + (received - 1));
                }
                buffer.compact();
                stream.write(answer.clear().putLong(received).flip());
            }
        }

        private void answers(ByteStream stream) {
            var answer = ByteBuffer.allocate(BUFFER);
            try {
                while (stream.read(answer) >= 0) {
                    answer.flip();
                    while (answer.remaining() >= Long.BYTES) answered = answer.getLong();
                    answer.compact();
                }
            } catch (InputOutputException e) {
                if (!faulty) throw e;
            }
        }
    }
}
