/**
 * Where classes of the API that stand below the kernel reach it, and it them: the run that an object belongs to, and
 * what only the scheduler may do with a microtask. Either side installs its half. Depends on the JDK alone.
 */
@NullMarked
package org.trueasync.internal.bridge;

import org.jspecify.annotations.NullMarked;
