package org.trueasync.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that defines a simulation, see {@link org.trueasync.testkit.simulation.Simulation}: it has one
 * parameter of that type, and is called for each seed on the same instance of its class. {@code @BeforeEach} and {@code
 * @AfterEach} methods run once. A failure names its seed; {@code -Dorg.trueasync.testkit.seed=...} runs only that one.
 */
@Test
@Documented
@ExtendWith(SimulatedExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Simulated {
    /** Number of runs; 1 or more. */
    int seeds() default 100;
}
