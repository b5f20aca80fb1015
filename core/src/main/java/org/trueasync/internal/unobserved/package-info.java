/** Warnings about what was made and then forgotten: outcomes that nobody took. Knows neither the kernel nor what it is that was forgotten. */
@NullMarked
package org.trueasync.internal.unobserved;

import org.jspecify.annotations.NullMarked;
