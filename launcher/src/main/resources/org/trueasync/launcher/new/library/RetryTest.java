package @package@;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.trueasync.testkit.VirtualTime;

/** In virtual time: the pauses take no time, and are exact. */
class RetryTest {
    private int calls;

    private String busyUntilCall(int last) throws IOException {
        if (++calls < last) throw new IOException("busy");
        return "answer";
    }

    @Test
    void callThatFails_isMadeAgainAfterGrowingPauses() {
        VirtualTime.run(() -> {
            assertEquals("answer", Retry.retry(10, () -> busyUntilCall(5)));
            assertEquals(1 + 2 + 4 + 8, VirtualTime.elapsed().toSeconds());
        });
    }

    @Test
    void lastAttempt_tellsWhy() {
        VirtualTime.run(() -> {
            assertThrows(IOException.class, () -> Retry.retry(3, () -> busyUntilCall(5)));
            assertEquals(3, calls);
        });
    }
}
