/** A Spring Boot service whose requests are coroutines; docs/guide/spring-boot.md walks through it. */
@NullMarked
package org.trueasync.examples.service;

import org.jspecify.annotations.NullMarked;
