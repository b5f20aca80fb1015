@NullMarked
package org.trueasync.spring;

import org.jspecify.annotations.NullMarked;
