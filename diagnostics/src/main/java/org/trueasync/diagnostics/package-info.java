/** A runtime as management tools see it. Exported to all, as JMX calls the interface from a module of its own. */
@NullMarked
package org.trueasync.diagnostics;

import org.jspecify.annotations.NullMarked;
