package org.trueasync.bench.echo;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;

/** An echo server on Netty with one event loop, written as in Netty's own documentation. */
final class NettyEcho implements EchoServer {

    private final IoHandlerFactory handlers;
    private final Class<? extends ServerChannel> channel;

    private NettyEcho(IoHandlerFactory handlers, Class<? extends ServerChannel> channel) {
        this.handlers = handlers;
        this.channel = channel;
    }

    static EchoServer nio() {
        return new NettyEcho(NioIoHandler.newFactory(), NioServerSocketChannel.class);
    }

    static EchoServer epoll() {
        return new NettyEcho(EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
    }

    @Override
    public void serve(int port, Runnable listening) throws InterruptedException {
        var server = new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, handlers))
                .channel(channel)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        connection.pipeline().addLast(new Echo());
                    }
                });
        var bound = server.bind(HOST, port).sync().channel();
        listening.run();
        bound.closeFuture().sync();
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the void promise: failures go to the pipeline
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message, context.voidPromise());
        }
    }
}
