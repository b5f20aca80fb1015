package org.trueasync.examples.service;

import static org.trueasync.Async.blocking;

import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.stereotype.Component;

/** A hash takes a tenth of a second on purpose: other threads compute it, and only its own request waits. */
@Component
class Passwords extends BCryptPasswordEncoder {
    @Override
    protected boolean matchesNonNull(String password, String hash) {
        return blocking(() -> super.matchesNonNull(password, hash));
    }

    @Override
    protected String encodeNonNullPassword(String password) {
        return blocking(() -> super.encodeNonNullPassword(password));
    }
}
