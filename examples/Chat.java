// A chat on WebSocket, with its page: coroutines share one map of members without a lock, since they switch only where
// they wait.
//
//   trueasync run Chat.java [PORT]        7778 without it; open http://127.0.0.1:7778 in two windows
import static org.trueasync.Async.*;

import org.trueasync.*;
import org.trueasync.http.*;

static final int BACKLOG = 100;
static final WebSocket.Options OPTIONS = WebSocket.options().maxMessageBytes(4_000);

/** Who is there, and the lines that each has not been sent yet. */
final Map<String, Channel<String>> members = new TreeMap<>();

void main(String[] args) {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 7778;
    var routes = new Routes()
            .get("/", exchange -> exchange.header("Content-Type", "text/html; charset=utf-8").respond(PAGE))
            .get("/chat", this::chat);
    var server = HttpServer.builder().host("127.0.0.1").port(port).listen(routes);
    IO.println("chatting at http://127.0.0.1:" + server.port());
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
    // Between this check and the put below nothing waits, so no other coroutine runs in between.
    if (name.isEmpty() || members.containsKey(name)) {
        socket.close(4000, "this name is taken");
        return;
    }
    var unsent = new Channel<String>(BACKLOG);
    members.put(name, unsent);
    launch(() -> send(unsent, socket)); // ends with the request
    try {
        tellAll("* " + name + " joins " + (members.size() - 1) + " others");
        for (var message : socket) tellAll(name + ": " + message.text());
    } finally {
        members.remove(name, unsent);
        tellAll("* " + name + " leaves");
    }
}

void send(Channel<String> unsent, WebSocket socket) {
    try {
        for (String line : unsent) socket.send(line);
        socket.close(4001, "you read too slowly");
    } catch (InputOutputException gone) {
        // the coroutine that receives is told too, and leaves
    }
}

/** Never waits: a member whose backlog is full has to leave. */
void tellAll(String line) {
    members.values().removeIf(unsent -> {
        if (unsent.trySend(line)) return false;
        unsent.close();
        return true;
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
