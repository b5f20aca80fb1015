package org.trueasync.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.run;
import static org.trueasync.Async.spawn;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.trueasync.jdbc.PooledDataSource;

/** JPA by Hibernate, on the starter's pool. */
@Tag("deep")
class JpaTest {
    @Entity(name = "Note")
    static class Note {
        @Id
        @GeneratedValue
        Long id;

        String text;
    }

    static class Notes {
        private static int underWay;
        private static int most;

        private final EntityManager entities;

        Notes(EntityManager entities) {
            this.entities = entities;
        }

        /** Writes, waits, and returns how many there are. */
        @Transactional
        public long write(String text, boolean fails) {
            var note = new Note();
            note.text = text;
            entities.persist(note);
            entities.flush();
            most = Math.max(most, ++underWay);
            delay(200);
            underWay--;
            if (fails) throw new IllegalStateException("no more room");
            return count();
        }

        @Transactional(readOnly = true)
        public long count() {
            return entities.createQuery("select count(n) from Note n", Long.class)
                    .getSingleResult();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = JpaTest.class)
    @Import(Notes.class)
    @RestController
    static class Application {
        private final Notes notes;
        private final EntityManager entities;

        Application(Notes notes, EntityManager entities) {
            this.notes = notes;
            this.entities = entities;
        }

        @GetMapping("/write")
        public long write() {
            return notes.write("by a request", false);
        }

        /** Open-in-view: outside transactions, one request has one persistence context. */
        @GetMapping("/same")
        public boolean same() {
            Note first = entities.createQuery("select n from Note n", Note.class)
                    .setMaxResults(1)
                    .getSingleResult();
            delay(20);
            return entities.contains(first) && entities.find(Note.class, first.id) == first;
        }
    }

    @Test
    void transactions_areEachRequestsOwn_andGiveTheirConnectionsBack() {
        run(() -> {
            try (var client = HttpClient.newBuilder().executor(executor()).build();
                    var spring = new SpringApplicationBuilder(Application.class)
                            .run(
                                    "--spring.main.banner-mode=off",
                                    "--logging.level.root=error",
                                    "--server.port=0",
                                    "--spring.datasource.url=jdbc:h2:mem:jpa",
                                    "--spring.datasource.trueasync.max=2",
                                    "--spring.jpa.hibernate.ddl-auto=create-drop")) {
                var notes = spring.getBean(Notes.class);
                var pool = spring.getBean(PooledDataSource.class).pool();

                assertThatThrownBy(() -> notes.write("rolled back", true)).hasMessage("no more room");
                assertThat(notes.count()).isZero();

                int port = ((WebServerApplicationContext) spring).getWebServer().getPort();
                var one = spawn(() -> get(client, port, "/write"));
                var other = spawn(() -> get(client, port, "/write"));
                await(one);
                await(other);
                assertThat(Notes.most).as("transactions at the same time").isEqualTo(2);
                assertThat(notes.count()).isEqualTo(2);
                assertThat(get(client, port, "/same")).isEqualTo("true");
                assertThat(pool.stats().active()).as("lent connections").isZero();
            }
        });
    }

    private static String get(HttpClient client, int port, String path) throws Exception {
        var response = client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }
}
