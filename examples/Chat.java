// A chat room: coroutines share one map of members without a lock, since they switch only where they wait.
//
//   trueasync run Chat.java [PORT]        7778 without it; join with: nc 127.0.0.1 7778
import static org.trueasync.Async.*;

import java.util.concurrent.ArrayBlockingQueue;
import org.trueasync.*;
import org.trueasync.io.*;

static final int BACKLOG = 100;

record Member(String name, TcpStream stream, ArrayBlockingQueue<String> unsent) {}

final Map<String, Member> members = new TreeMap<>();

void main(String[] args) {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 7778;
    // What goes wrong with one member is reported, and the room lives on. Leaving the block ends everything in it.
    try (var server = TcpServer.listen("127.0.0.1", port); var room = new Scope().reportErrors()) {
        IO.println("chatting at 127.0.0.1:" + server.port());
        while (true) {
            var stream = server.accept();
            room.launch(() -> serve(stream));
        }
    }
}

void serve(TcpStream stream) {
    try (stream) {
        stream.writeText("your name? ");
        String name = stream.lines().readLine();
        // Between this check and the put below nothing waits, so no other coroutine runs in between.
        if (name == null || name.isBlank() || members.containsKey(name)) {
            stream.writeLine("taken");
            return;
        }
        var member = new Member(name, stream, new ArrayBlockingQueue<>(BACKLOG));
        members.put(name, member);
        var writer = launch(() -> send(member)); // in the room as well
        try {
            tellAll("* " + name + " joins " + (members.size() - 1) + " others");
            for (String line : stream.lines()) tellAll(name + ": " + line);
        } finally {
            members.remove(name);
            writer.cancel();
            tellAll("* " + name + " leaves");
        }
    } catch (InputOutputException gone) {
        System.err.println(gone.getMessage()); // a peer that breaks off is no failure of the room
    }
}

void send(Member member) throws InterruptedException {
    try {
        while (true) member.stream().writeLine(member.unsent().take()); // the JDK's queue suspends this coroutine alone
    } catch (InputOutputException gone) {
        member.stream().close(); // the reader is told, and leaves
    }
}

/**
 * Never waits: each member has a line of unsent messages and a coroutine that sends them. A member whose line is full
 * is disconnected.
 */
void tellAll(String message) {
    for (Member member : members.values()) {
        if (!member.unsent().offer(message)) member.stream().close();
    }
}
