// The smallest program: main is the main coroutine, spawn starts another, await waits for its value.
import static org.trueasync.Async.*;

void main() {
    var world = spawn(() -> {
        delay(10);
        return "world";
    });
    IO.println("hello " + await(world));
}
