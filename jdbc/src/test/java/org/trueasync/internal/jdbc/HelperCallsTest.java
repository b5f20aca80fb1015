package org.trueasync.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(100)
class HelperCallsTest {
    @Test
    void connectedAtTheLastMoment_aHelperThreadCloses() {
        var closer = new CompletableFuture<Thread>();
        var connection = (Connection) Proxy.newProxyInstance(
                HelperCallsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("close")) closer.complete(Thread.currentThread());
                    return null;
                });
        HelperCalls.closeLater(CompletableFuture.completedFuture(connection));
        assertThat(closer.join()).isNotSameAs(Thread.currentThread());
    }
}
