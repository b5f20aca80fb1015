/**
 * How reports name things: by places in the program's code, as opposed to ours, and by the names that users give.
 * Depends on the JDK alone. The callers decide whether such a place is kept, and where.
 */
@NullMarked
package org.trueasync.internal.site;

import org.jspecify.annotations.NullMarked;
