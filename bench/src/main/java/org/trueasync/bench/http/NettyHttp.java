package org.trueasync.bench.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;

/** Netty with one event loop and its codec for HTTP. The answers to all requests of one read are sent by one write. */
final class NettyHttp {
    private NettyHttp() {}

    static void start(int port) throws InterruptedException {
        var loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        var date = new Date();
        loop.scheduleAtFixedRate(date, 1, 1, TimeUnit.SECONDS);
        new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, HttpServerProcess.BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        connection.pipeline().addLast(new HttpServerCodec(), new Handler(date));
                    }
                })
                .bind(HttpServerProcess.HOST, port)
                .sync();
    }

    /** A header that all answers of a second share. */
    private static final class Date implements Runnable {
        private volatile AsciiString text = now();

        @Override
        public void run() {
            text = now();
        }

        private static AsciiString now() {
            return new AsciiString(DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
        }
    }

    private static final class Handler extends ChannelInboundHandlerAdapter {
        private static final Body TEXT = Body.of(HttpServerProcess.TEXT_BYTES, HttpServerProcess.TEXT_TYPE);
        private static final Body JSON = Body.of(HttpServerProcess.JSON_BYTES, HttpServerProcess.JSON_TYPE);

        private final Date date;
        private String path = "";

        Handler(Date date) {
            this.date = date;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the void promise: failures go to the pipeline
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (message instanceof HttpRequest request) path = request.uri();
                if (!(message instanceof LastHttpContent)) return;
                if (path.startsWith(HttpServerProcess.DELAY_PATH)) {
                    long millis = Long.parseLong(path.substring(HttpServerProcess.DELAY_PATH.length()));
                    context.executor()
                            .schedule(
                                    () -> context.writeAndFlush(answer(TEXT), context.voidPromise()),
                                    millis,
                                    TimeUnit.MILLISECONDS);
                } else {
                    Body body = path.equals(HttpServerProcess.JSON_PATH) ? JSON : TEXT;
                    context.write(answer(body), context.voidPromise());
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        private FullHttpResponse answer(Body body) {
            var response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body.content.duplicate());
            response.headers()
                    .set(HttpHeaderNames.DATE, date.text)
                    .set(HttpHeaderNames.CONTENT_TYPE, body.type)
                    .set(HttpHeaderNames.CONTENT_LENGTH, body.length);
            return response;
        }
    }

    /** What all answers share. */
    private record Body(ByteBuf content, AsciiString type, AsciiString length) {
        static Body of(byte[] bytes, String type) {
            ByteBuf direct = Unpooled.directBuffer(bytes.length).writeBytes(bytes);
            return new Body(
                    Unpooled.unreleasableBuffer(direct).asReadOnly(),
                    new AsciiString(type),
                    new AsciiString(String.valueOf(bytes.length)));
        }
    }
}
