/** Warnings about outcomes that nobody took. Depends neither on the kernel nor on the kinds of outcomes. */
@NullMarked
package org.trueasync.internal.unobserved;

import org.jspecify.annotations.NullMarked;
