/** Whether the cost of an element stays the same while their number grows: kinds of elements, and their figures. */
package org.trueasync.bench.growth;
