/** HTTP messages: header fields, status lines, dates, traces, and the checks of what goes into them. */
@NullMarked
package org.trueasync.internal.http.message;

import org.jspecify.annotations.NullMarked;
