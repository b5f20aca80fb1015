package org.trueasync.reactor.libuv;

import java.net.InetSocketAddress;
import org.trueasync.spi.StreamHandle;

/** A listening TCP socket, which libuv makes and binds. */
final class UvTcpListener extends UvListener {
    private final InetSocketAddress local;

    UvTcpListener(UvReactor reactor, InetSocketAddress wanted, Options options, Listener listener) {
        super(reactor, UvLayouts.TCP_SIZE, SocketAddresses.text(wanted), listener);
        int status = Uv.tcpInit(reactor.loop, address, SocketAddresses.family(wanted));
        if (status < 0) {
            discard();
            require(status);
        }
        opened();
        try {
            int socket = require(reactor.descriptorOf(address));
            if (options.reusePort()) require(reactor.reusePort(socket));
            SocketAddresses.write(wanted, reactor.socketAddress);
            boolean v6Only = options.ipv6Only() && SocketAddresses.family(wanted) == Platform.AF_INET6;
            require(Uv.tcpBind(address, reactor.socketAddress, v6Only ? Uv.TCP_IPV6ONLY : 0));
            // libuv reports "address in use" only at the call after the bind, which is this one.
            local = reactor.localAddressOrFail(address, wanted);
            begin(socket, SocketAddresses.text(local), options);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    StreamHandle stream(int connection, StreamHandle.Listener streamListener) {
        return UvTcp.accepted(
                reactor, connection, SocketAddresses.text(local), reactor.acceptedAddress(), streamListener);
    }
}
