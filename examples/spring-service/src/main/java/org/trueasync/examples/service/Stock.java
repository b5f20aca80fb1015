package org.trueasync.examples.service;

import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.server.ResponseStatusException;

/** The items and orders in the database. */
@Repository
class Stock {
    private final JdbcTemplate jdbc;

    Stock(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    Item item(int id) {
        return jdbc
                .query("select id, name, stock from item where id = ?", new DataClassRowMapper<>(Item.class), id)
                .stream()
                .findFirst()
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "no item " + id));
    }

    /** Writes the order down and takes what was sold off the shelf, or does neither. */
    @Transactional
    Item sell(int item, int count, String buyer) {
        jdbc.update("insert into orders (item, amount, buyer) values (?, ?, ?)", item, count, buyer);
        int taken = jdbc.update("update item set stock = stock - ? where id = ? and stock >= ?", count, item, count);
        if (taken == 0) throw new ResponseStatusException(HttpStatus.CONFLICT, "not as many left");
        return item(item);
    }

    int orders() {
        return jdbc.queryForObject("select count(*) from orders", Integer.class);
    }
}
