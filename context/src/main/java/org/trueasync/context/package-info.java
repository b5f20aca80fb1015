/** An accessor for OpenTelemetry's context: {@link org.trueasync.context.OpenTelemetryAccessor}. */
@NullMarked
package org.trueasync.context;

import org.jspecify.annotations.NullMarked;
