package org.trueasync.examples.service;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.trueasync.spring.TrueAsyncApplication;

/** The service: each of its requests is a coroutine. An ordinary Java program, and one for the command too. */
@SpringBootApplication
public class Service {
    static void main(String[] arguments) {
        TrueAsyncApplication.run(Service.class, arguments);
    }
}
