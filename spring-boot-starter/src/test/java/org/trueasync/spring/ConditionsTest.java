package org.trueasync.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.run;
import static org.trueasync.spring.StarterTest.start;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.messaging.support.ExecutorSubscribableChannel;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.trueasync.jdbc.PooledDataSource;

/** What is ours, and what is the application's or Boot's: the rules are Boot's own. */
@Timeout(60)
class ConditionsTest {
    private static final String NO_SERVER = "--spring.main.web-application-type=none";
    private static final String DATABASE = "--spring.datasource.url=jdbc:h2:mem:conditions";

    private static String place() {
        return OnCoroutines.isHere() ? "coroutine" : "thread";
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
    @EnableAsync
    static class Plain {
        @org.springframework.scheduling.annotation.Async
        public CompletableFuture<String> work() {
            return CompletableFuture.completedFuture(place());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {
                DataSourceAutoConfiguration.class,
                HibernateJpaAutoConfiguration.class,
                TaskExecutionAutoConfiguration.class
            })
    static class Excluded {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
    @Import(Plain.class)
    static class ExcludedByOneOfTwo {}

    @ParameterizedTest
    @ValueSource(classes = {Excluded.class, ExcludedByOneOfTwo.class})
    void exclusionOfBootsDataSource_isThatOfOurs(Class<?> source) {
        run(() -> {
            try (var spring = start(source, NO_SERVER)) {
                assertThat(spring.getBeansOfType(DataSource.class)).isEmpty();
                if (source == Excluded.class)
                    assertThat(spring.getBeansOfType(Executor.class)).doesNotContainKey("applicationTaskExecutor");
            }
        });
    }

    @Test
    void exclusionByProperty_isThatOfOurs() {
        run(() -> {
            try (var spring = start(
                    Plain.class,
                    NO_SERVER,
                    "--spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName())) {
                assertThat(spring.getBeansOfType(DataSource.class)).isEmpty();
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Plain.class)
    static class TwoDatabases {
        @Bean
        PooledDataSource orders() throws SQLException {
            return PooledDataSource.forUrl("jdbc:h2:mem:orders")
                    .name("same")
                    .max(7)
                    .build();
        }

        @Bean
        PooledDataSource stock() throws SQLException {
            return PooledDataSource.forUrl("jdbc:h2:mem:stock").name("same").build();
        }
    }

    @Test
    void databasesOfTheApplication_haveMetersOfTheirOwn_alsoByMicrometersNames() {
        run(() -> {
            try (var spring = start(TwoDatabases.class, NO_SERVER)) {
                MeterRegistry meters = spring.getBean(MeterRegistry.class);
                try (var _ = spring.getBean("orders", DataSource.class).getConnection()) {
                    assertThat(gauge(meters, "jdbc.connections.active", "name", "orders"))
                            .isEqualTo(1);
                    assertThat(gauge(meters, "jdbc.connections.active", "name", "stock"))
                            .isZero();
                    assertThat(gauge(meters, "jdbc.connections.max", "name", "orders"))
                            .isEqualTo(7);
                    assertThat(meters.get("trueasync.pool.resources")
                                    .tags("pool", "orders", "state", "active")
                                    .gauge()
                                    .value())
                            .isEqualTo(1);
                }
                assertThat(gauge(meters, "jdbc.connections.idle", "name", "orders"))
                        .isEqualTo(1);
                assertThat(gauge(meters, "jdbc.connections.min", "name", "stock"))
                        .isZero();
                assertThat(gauge(meters, "trueasync.pool.waiting", "pool", "stock"))
                        .isZero();
            }
        });
    }

    private static double gauge(MeterRegistry meters, String name, String... tags) {
        return meters.get(name).tags(tags).gauge().value();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebSocketMessageBroker
    @Import(Plain.class)
    static class Stomp implements WebSocketMessageBrokerConfigurer {
        @Override
        public void configureMessageBroker(MessageBrokerRegistry registry) {
            registry.enableSimpleBroker("/topic");
        }

        @Override
        public void registerStompEndpoints(StompEndpointRegistry registry) {
            registry.addEndpoint("/stomp");
        }
    }

    @Test
    void executorsOfStomp_leaveTasksToCoroutines_andMessagesAreCoroutinesToo() {
        run(() -> {
            try (var spring = start(Stomp.class, "--server.port=0", DATABASE)) {
                assertThat(await(spring.getBean(Plain.class).work())).isEqualTo("coroutine");
                assertThat(await(spring.getBean("applicationTaskExecutor", AsyncTaskExecutor.class)
                                .submitCompletable(ConditionsTest::place)))
                        .isEqualTo("coroutine");
                var place = new CompletableFuture<String>();
                Executor messages = spring.getBean("clientInboundChannel", ExecutorSubscribableChannel.class)
                        .getExecutor();
                assertThat(messages).isNotNull();
                messages.execute(() -> place.complete(place()));
                assertThat(await(place)).isEqualTo("coroutine");
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebSocket
    @Import(Plain.class)
    static class Sockets extends TextWebSocketHandler implements WebSocketConfigurer {
        @Override
        public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
            registry.addHandler(this, "/socket");
        }

        @Override
        protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
            delay(1);
            session.sendMessage(new TextMessage(message.getPayload() + " in a " + place()));
        }
    }

    @Test
    void messagesOfPlainWebSockets_areCoroutines() {
        run(() -> {
            var answers = new ArrayList<String>();
            var two = new CompletableFuture<String>();
            try (var client = HttpClient.newBuilder().executor(executor()).build();
                    var spring = start(Sockets.class, "--server.port=0", DATABASE)) {
                int port = ((WebServerApplicationContext) spring).getWebServer().getPort();
                WebSocket socket = await(client.newWebSocketBuilder()
                        .buildAsync(URI.create("ws://localhost:" + port + "/socket"), new WebSocket.Listener() {
                            @Override
                            public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                                answers.add(text.toString());
                                if (answers.size() == 2) two.complete("");
                                from.request(1);
                                return CompletableFuture.completedFuture(null);
                            }
                        }));
                await(socket.sendText("first", true));
                await(socket.sendText("second", true));
                await(two);
                socket.abort();
            }
            assertThat(answers).containsExactly("first in a coroutine", "second in a coroutine");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Plain.class)
    static class OwnExecutor {
        @Bean(destroyMethod = "shutdown")
        Executor own() {
            return Executors.newSingleThreadExecutor();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "force"})
    void executorOfTheApplication_winsUnlessOursIsForced(String mode) {
        run(() -> {
            try (var spring = start(OwnExecutor.class, NO_SERVER, DATABASE, "--spring.task.execution.mode=" + mode)) {
                String wanted = mode.equals("force") ? "coroutine" : "thread";
                assertThat(spring.containsBean("applicationTaskExecutor")).isEqualTo(mode.equals("force"));
                if (mode.equals("force"))
                    assertThat(await(spring.getBean("applicationTaskExecutor", AsyncTaskExecutor.class)
                                    .submitCompletable(ConditionsTest::place)))
                            .isEqualTo("coroutine");
                assertThat(await(spring.getBean(Plain.class).work())).isEqualTo(wanted);
            }
        });
    }
}
