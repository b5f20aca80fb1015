/** Files as responses: which file, whether the client has it already, and which parts of it are sent. */
@NullMarked
package org.trueasync.internal.http.files;

import org.jspecify.annotations.NullMarked;
