package @package@;

import org.trueasync.Async;

/** Starts the service; SIGTERM and Ctrl-C let it answer what is under way, and end it. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
        Async.runtime().shutdownOn().run(() -> {
            var server = new Service(new Suppliers.Pretended()).listen(port);
            System.out.println("listening at http://localhost:" + server.port());
        });
    }
}
