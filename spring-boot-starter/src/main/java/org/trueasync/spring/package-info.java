/**
 * Spring Boot on coroutines: {@link org.trueasync.spring.TrueAsyncApplication} runs the application, and
 * auto-configuration gives Tomcat, Jetty, tasks, schedules and databases what they need. Outside a runtime all of it
 * leaves the application as it is, but in a {@code @SpringBootTest}, where a run of its own serves it.
 */
@NullMarked
package org.trueasync.spring;

import org.jspecify.annotations.NullMarked;
