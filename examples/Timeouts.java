// Time limits are cancellation tokens: any wait takes one, and what was waited for is left alone.
//
//   trueasync run Timeouts.java
import static org.trueasync.Async.*;

import java.time.Duration;
import org.trueasync.*;

void main() {
    var slow = spawn(() -> {
        delay(60);
        return "the answer";
    });

    // The wait is given up, the coroutine is not.
    try {
        IO.println(await(slow, timeout(20)));
    } catch (OperationCanceledException e) {
        IO.println("gave up: " + e.getCause().getMessage());
    }
    IO.println("later: " + await(slow));

    // Anything that ends can be a token: here it is a coroutine.
    var enough = spawn(() -> delay(10));
    try {
        await(spawn(() -> delay(Duration.ofHours(1))), enough);
    } catch (OperationCanceledException e) {
        IO.println("gave up when another coroutine ended");
    }

    // A limit for a whole section: cancel the coroutine that runs it.
    var section = spawn(() -> {
        try {
            for (int step = 1; ; step++) delay(Duration.ofHours(step));
        } finally {
            IO.println("the section cleans up");
        }
    });
    try {
        await(section, timeout(20));
    } catch (OperationCanceledException e) {
        section.cancel(new AsyncCancellation("over time"));
    }
    try {
        await(section);
    } catch (AsyncCancellation e) {
        IO.println("the section ended: " + e.getMessage());
    }

    // One coroutine still waits for an hour: without this the program would, too.
    gracefulShutdown();
}
