/**
 * Spring Boot on coroutines: {@link org.trueasync.spring.TrueAsyncApplication} runs the application, and
 * auto-configuration gives Tomcat, Jetty, tasks, schedules and databases what they need. Outside a runtime, as in a
 * test of Spring's, all of it leaves the application as it is.
 */
@NullMarked
package org.trueasync.spring;

import org.jspecify.annotations.NullMarked;
