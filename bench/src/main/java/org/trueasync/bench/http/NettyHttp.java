package org.trueasync.bench.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/** Netty with one event loop and its codec for HTTP. */
final class NettyHttp {
    private NettyHttp() {}

    static void start(int port) throws InterruptedException {
        new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()))
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, HttpServerProcess.BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        connection.pipeline().addLast(new HttpServerCodec(), new Hello());
                    }
                })
                .bind(HttpServerProcess.HOST, port)
                .sync();
    }

    private static final class Hello extends SimpleChannelInboundHandler<Object> {
        private static final byte[] TEXT = HttpServerProcess.TEXT.getBytes(StandardCharsets.US_ASCII);

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the void promise: failures go to the pipeline
        protected void channelRead0(ChannelHandlerContext context, Object message) {
            if (!(message instanceof HttpRequest)) return;
            var response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(TEXT));
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, TEXT.length);
            context.writeAndFlush(response, context.voidPromise());
        }
    }
}
