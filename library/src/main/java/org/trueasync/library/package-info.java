/** The agent. */
@NullMarked
package org.trueasync.library;

import org.jspecify.annotations.NullMarked;
