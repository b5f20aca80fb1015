package org.trueasync.examples.service;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The same service as Boot itself does it: on the JDK's virtual threads, with Hikari's pool. For comparison. */
@EnableAutoConfiguration
@Import({Shop.class, Stock.class, WhoMay.class, RequestContext.class, Tracing.class})
class OnVirtualThreads {
    @Bean
    PasswordEncoder passwords() {
        return new BCryptPasswordEncoder();
    }

    static void main(String[] arguments) {
        System.setProperty("spring.threads.virtual.enabled", "true");
        System.setProperty("spring.main.register-shutdown-hook", "true");
        System.setProperty("spring.datasource.url", "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
        SpringApplication.run(OnVirtualThreads.class, arguments);
    }
}
