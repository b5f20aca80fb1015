// Follows a file that grows, as tail -f does: prints what is in it, then what is added, until Ctrl-C.
//
//   trueasync run Tail.java FILE
//   trueasync run Tail.java          shows it with a file of its own, to which another coroutine writes
//
// The watcher says only that something has changed; a read tells what.
import static org.trueasync.Async.*;

import java.nio.ByteBuffer;
import java.nio.file.*;
import org.trueasync.*;
import org.trueasync.io.*;

/** The number of bytes printed so far. */
long shown;

void main(String[] args) throws IOException {
    if (args.length == 1) follow(Path.of(args[0]));
    else if (args.length == 0) demonstrate();
    else {
        System.err.println("usage: Tail.java [FILE]");
        System.exit(2);
    }
}

void follow(Path path) {
    // The file is watched before it is read, so that nothing that is added in between is missed.
    try (var watcher = new FileSystemWatcher(path);
            var file = AsyncFile.open(path)) {
        var buffer = ByteBuffer.allocate(64 * 1024);
        do {
            if (file.size() < file.position()) file.seek(0); // it was cut off: start again
            while (file.read(buffer.clear()) >= 0) {
                System.out.write(buffer.array(), 0, buffer.position());
                shown += buffer.position();
            }
            System.out.flush();
        } while (watcher.next() != null);
    }
}

void demonstrate() throws IOException {
    Path path = Files.createTempFile("tail", ".log");
    Files.writeString(path, "what was there before\n");
    Coroutine<?> follower = spawn(() -> follow(path));
    try (var log = AsyncFile.open(path, StandardOpenOption.APPEND)) {
        for (int line = 1; line <= 3; line++) {
            log.write(ByteBuffer.wrap(("line " + line + "\n").getBytes()));
            while (shown < log.size()) delay(1); // the follower's turn
        }
    } finally {
        follower.cancel();
        Files.delete(path);
    }
    IO.println("%d bytes shown".formatted(shown));
}
