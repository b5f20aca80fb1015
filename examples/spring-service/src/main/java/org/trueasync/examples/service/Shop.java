package org.trueasync.examples.service;

import java.security.Principal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What clients call. Each method runs in a coroutine of its own. */
@RestController
class Shop {
    private static final Logger LOG = LoggerFactory.getLogger(Shop.class);

    private final Stock stock;

    Shop(Stock stock) {
        this.stock = stock;
    }

    @GetMapping("/items/{id}")
    Item item(@PathVariable int id) {
        return stock.item(id);
    }

    @GetMapping("/orders")
    int orders() {
        return stock.orders();
    }

    @PostMapping("/orders")
    @ResponseStatus(HttpStatus.CREATED)
    Item order(@RequestParam int item, @RequestParam int count, Principal buyer) {
        Item left = stock.sell(item, count, buyer.getName());
        LOG.info("{} bought {} of item {}", buyer.getName(), count, item);
        return left;
    }

    @GetMapping("/slow")
    String slow(@RequestParam(defaultValue = "3000") int millis) throws InterruptedException {
        LOG.info("works for {} ms", millis);
        Thread.sleep(millis);
        LOG.info("worked for {} ms", millis);
        return "done";
    }
}
