/** Libraries for JSON, of which a program brings one or none. Nothing else here may name their classes. */
@NullMarked
package org.trueasync.internal.http.json;

import org.jspecify.annotations.NullMarked;
