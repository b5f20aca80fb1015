// What a coroutine prints can be captured, although all of them share one System.out and one thread.
//
//   trueasync run Captured.java
import static org.trueasync.Async.*;

import org.trueasync.*;

void main() {
    // Two coroutines print in turn. Each capture gets the lines of its own coroutine, in order.
    var reports = new ArrayList<Coroutine<String>>();
    for (String name : List.of("north", "south")) {
        reports.add(spawn(() -> Output.capture(() -> {
            for (int line = 1; line <= 3; line++) {
                IO.println("  " + name + " " + line);
                suspend();
            }
        })));
    }
    spawn(() -> IO.println("not captured"));
    for (String report : awaitAllOrFail(reports)) IO.print("report:\n" + report);

    // Captures nest, and end with their body, also with a body that fails.
    String outer = Output.capture(() -> {
        IO.print("outer ");
        String inner = Output.capture(() -> IO.print("inner"));
        IO.print("again, without '" + inner + "'");
    });
    IO.println(outer);
    try {
        Output.capture(() -> {
            IO.println("nobody sees this");
            throw new IllegalStateException("failed");
        });
    } catch (IllegalStateException e) {
        IO.println("the error passes: " + e.getMessage());
    }
}
