/**
 * Content codings: gzip by the JDK, Brotli and Zstandard by libraries that a program brings or not. Nothing else may
 * name the classes of these.
 */
@NullMarked
package org.trueasync.internal.http.codings;

import org.jspecify.annotations.NullMarked;
