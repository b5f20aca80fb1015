/** The examples in the javadoc, which holds copies of them. */
@NullMarked
package org.trueasync.http.snippets;

import org.jspecify.annotations.NullMarked;
