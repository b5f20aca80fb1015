package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExecTimeoutExceptionTest {
    @Test
    void serialized_keepsTheOutput() throws Exception {
        var result = new ExecResult(143, 15, new byte[] {1, 2}, new byte[] {3}, true);
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(new ExecTimeoutException("sleep", Duration.ofSeconds(1), result));
        }
        ExecTimeoutException read;
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            read = (ExecTimeoutException) in.readObject();
        }
        assertThat(read).hasMessageStartingWith("sleep timed out after ");
        assertThat(read.soFar()).usingRecursiveComparison().isEqualTo(result);
    }
}
