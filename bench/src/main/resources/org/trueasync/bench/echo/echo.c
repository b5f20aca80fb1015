/* What the machine allows: an echo server of one thread, by epoll with edges, recv and send, and nothing else. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 1024

/* Returns a socket that listens on the loopback interface, or -errno. */
int echo_listen(int port, int backlog) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1, server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (server < 0) return -errno;
    setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(server, (struct sockaddr *)&address, sizeof address) < 0 || listen(server, backlog) < 0) return -errno;
    return server;
}

static int watch(int poll, int fd) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.fd = fd};
    return epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
}

static void accept_all(int poll, int server) {
    int one = 1, peer;
    while ((peer = accept4(server, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if (watch(poll, peer) < 0) close(peer);
    }
}

/*
 * A read that does not fill the buffer has emptied the socket, so there is a new edge for what comes later. One send
 * takes all: the client sends a message only when it has the answer to the one before.
 */
static void echo(int fd) {
    char buffer[1024];
    ssize_t n;
    do {
        n = recv(fd, buffer, sizeof buffer, 0);
        if (n > 0) n = send(fd, buffer, n, MSG_NOSIGNAL);
    } while (n == sizeof buffer);
    if (n == 0 || (n < 0 && errno != EAGAIN)) close(fd);
}

/* Serves, and returns -errno only if it can't. */
int echo_serve(int server) {
    struct epoll_event events[EVENTS];
    int poll = epoll_create1(EPOLL_CLOEXEC);
    if (poll < 0 || watch(poll, server) < 0) return -errno;
    for (;;) {
        int n = epoll_wait(poll, events, EVENTS, -1);
        if (n < 0 && errno != EINTR) return -errno;
        for (int i = 0; i < n; i++) {
            if (events[i].data.fd == server) accept_all(poll, server);
            else echo(events[i].data.fd);
        }
    }
}
