package org.trueasync.internal.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortTest {
    @Test
    void noPortTwice_andEachIsInABlockThatNoOtherProcessCanOwn() throws IOException {
        Set<Integer> ports = new HashSet<>();
        Set<Integer> marks = new HashSet<>();
        for (int i = 0; i < 250; i++) {
            int port = FreePort.any();
            assertThat(port).isBetween(15_001, 31_999);
            assertThat(ports.add(port)).as("first time: %d", port).isTrue();
            marks.add(port / 100 * 100);
        }
        assertThat(marks).hasSizeBetween(3, 4).doesNotContainAnyElementsOf(ports);
        for (int mark : marks)
            assertThatThrownBy(() -> new ServerSocket(mark).close()).isInstanceOf(BindException.class);
    }

    @Test
    void aPortOnWhichSomebodyListens_isPassedOver() throws IOException {
        int port;
        do port = FreePort.any();
        while (port % 100 == 99);
        try (var other = new ServerSocket(port + 1)) {
            assertThat(FreePort.any()).isNotEqualTo(other.getLocalPort());
        }
    }
}
