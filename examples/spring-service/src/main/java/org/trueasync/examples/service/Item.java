package org.trueasync.examples.service;

/**
 * Something that the shop sells.
 *
 * @param stock how many there are, >= 0
 */
record Item(int id, String name, int stock) {}
