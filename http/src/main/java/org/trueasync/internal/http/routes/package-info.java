/** Which route a path belongs to. */
@NullMarked
package org.trueasync.internal.http.routes;

import org.jspecify.annotations.NullMarked;
