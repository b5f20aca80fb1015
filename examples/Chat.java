// A chat on WebSocket, with its page, on all cores (on Linux): a publisher of the JDK is the room, to which each member
// subscribes on the core of its connection.
//
//   trueasync run Chat.java [PORT]        7778 without it; open http://127.0.0.1:7778 in two windows
import static org.trueasync.Async.*;

import org.trueasync.*;
import org.trueasync.http.*;

/** So many lines may wait in the room, and as many on the member's core, for a member that reads slowly. */
static final int BACKLOG = 128;
static final WebSocket.Options OPTIONS = WebSocket.options().maxMessageBytes(4_000);

/** Of members on all cores. */
final Set<String> names = ConcurrentHashMap.newKeySet();
final SubmissionPublisher<String> room = new SubmissionPublisher<>(Runnable::run, BACKLOG);

void main(String[] args) {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 7778;
    var routes = new Routes()
            .get("/", exchange -> exchange.html(PAGE))
            .get("/count", exchange -> exchange.respond(names.size() + " members"))
            .get("/chat", this::chat);
    Cores.builder().run(() -> {
        var server = HttpServer.builder().host("127.0.0.1").port(port).onEachCore().listen(routes);
        if (Cores.current().index() == 0) IO.println("chatting at http://127.0.0.1:" + server.port());
    });
}

/** One member, from the first message, which is the name, to the last. */
void chat(Exchange exchange) {
    // Browsers let every page connect here. One of another site may not speak for its visitor.
    var origin = exchange.header("Origin");
    if (origin != null && !origin.equals("http://" + exchange.host())) throw new HttpException(403, "from elsewhere");
    var socket = exchange.webSocket(OPTIONS);
    var first = socket.receive();
    if (first == null) return;
    String name = first.text().strip();
    if (name.isEmpty() || !names.add(name)) {
        socket.close(4000, "this name is taken");
        return;
    }
    var lines = Channel.from(room, BACKLOG); // ends with the request
    launch(() -> send(lines, socket));
    try {
        tellAll("* " + name + " joins " + (names.size() - 1) + " others");
        for (var message : socket) tellAll(name + ": " + message.text());
    } finally {
        names.remove(name);
        lines.close();
        tellAll("* " + name + " leaves");
    }
}

void send(Channel<String> lines, WebSocket socket) {
    try {
        for (String line : lines) socket.send(line);
    } catch (ChannelException late) {
        socket.close(4001, "you read too slowly");
    } catch (InputOutputException gone) {
        // the coroutine that receives is told too, and leaves
    }
}

/** Never waits: a member whose backlog is full has to leave. To let it miss lines instead, return false alone. */
void tellAll(String line) {
    room.offer(line, (member, missed) -> {
        member.onError(new IllegalStateException("too slow"));
        return false; // not offered again
    });
}

static final String PAGE = """
        <!doctype html>
        <meta charset="utf-8"><title>Chat</title>
        <style>
          body { font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 2em auto; padding: 0 1em; color: #222 }
          #lines { height: 60vh; overflow-y: auto; border: 1px solid #ccc; border-radius: 6px; padding: .5em 1em }
          .told { color: #777 }
          form { display: flex; gap: .5em; margin-top: 1em }
          input { flex: 1 } input, button { font: inherit; padding: .4em .8em }
        </style>
        <h1>Chat</h1>
        <div id="lines"></div>
        <form><input id="text" autofocus autocomplete="off"><button>Send</button></form>
        <script>
          const name = decodeURIComponent(location.hash.slice(1)) || prompt('Your name?') || '';
          const socket = new WebSocket('ws://' + location.host + '/chat');
          const show = line => {
            const shown = document.createElement('div');
            shown.textContent = line;
            if (line.startsWith('* ')) shown.className = 'told';
            lines.append(shown);
            lines.scrollTop = lines.scrollHeight;
          };
          socket.onopen = () => socket.send(name);
          socket.onmessage = event => show(event.data);
          socket.onclose = event => show('* closed ' + event.code + ' ' + event.reason);
          document.forms[0].onsubmit = event => {
            event.preventDefault();
            if (text.value) socket.send(text.value);
            text.value = '';
          };
        </script>
        """;
