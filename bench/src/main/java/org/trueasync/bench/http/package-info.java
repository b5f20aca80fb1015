/**
 * HTTP: a text of five bytes, one request in flight for each connection. Servers that people use, unchanged but for the executor that their handlers run on, beside a
 * fixed reply.
 */
package org.trueasync.bench.http;
