package org.trueasync.examples.service;

import jakarta.servlet.DispatcherType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Who may do what: everybody may look, ada and bob may order, ada may see how many orders there are. */
@Configuration(proxyBeanMethods = false)
class WhoMay {
    @Bean
    SecurityFilterChain rules(HttpSecurity http) {
        return http.authorizeHttpRequests(who -> who.dispatcherTypeMatchers(DispatcherType.ERROR)
                        .permitAll()
                        .requestMatchers(HttpMethod.GET, "/items/**", "/delivery/**", "/slow")
                        .permitAll()
                        .requestMatchers(HttpMethod.GET, "/orders")
                        .hasRole("KEEPER")
                        .anyRequest()
                        .authenticated())
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.disable())
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .build();
    }

    /** Their passwords are {@code lovelace} and {@code builder}. */
    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername("ada")
                        .password("$2a$10$ripDPeuzMkSS66GmnF.UdOebRQ/a7GvsW8CJmAYDHjfRax.2GBBXq")
                        .roles("KEEPER")
                        .build(),
                User.withUsername("bob")
                        .password("$2a$10$sQ6I5TgNkcOoFTYIEBBTPO8J9KIzzUCnW1jsBNpFOvJmYSq7T0/hW")
                        .roles("BUYER")
                        .build());
    }
}
