package org.trueasync.examples.service;

import java.lang.management.ManagementFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.trueasync.spring.TrueAsyncApplication;

/** What {@link LoadTable} loads: on the starter, or with {@code spring.threads.virtual.enabled} as Boot does it. */
@EnableAutoConfiguration(exclude = {SecurityFilterAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class})
@RestController
// else the tests' Service would find it by its scan, and be without Security too
@ConditionalOnProperty("load.table")
@Import(Stock.class)
class Loaded {
    private final Stock stock;
    private final RestClient carrier;

    Loaded(Stock stock, @Value("${carrier.url}") String carrier) {
        this.stock = stock;
        this.carrier = RestClient.builder()
                .baseUrl(carrier)
                .requestFactory(new JdkClientHttpRequestFactory())
                .build();
    }

    @GetMapping("/json")
    Item json() {
        return new Item(1, "lamp", 100);
    }

    @GetMapping("/query")
    Item query() {
        return stock.item(1);
    }

    @GetMapping("/downstream")
    String downstream() {
        return carrier.get().uri("/days/1").retrieve().body(String.class);
    }

    /** The bytes of what lives. */
    @GetMapping("/heap")
    long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    static void main(String[] arguments) {
        if (Boolean.getBoolean("spring.threads.virtual.enabled")) SpringApplication.run(Loaded.class, arguments);
        else TrueAsyncApplication.run(Loaded.class, arguments);
    }
}
