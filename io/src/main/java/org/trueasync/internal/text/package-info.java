/** Bytes that are text. Depends on the JDK alone. */
@NullMarked
package org.trueasync.internal.text;

import org.jspecify.annotations.NullMarked;
