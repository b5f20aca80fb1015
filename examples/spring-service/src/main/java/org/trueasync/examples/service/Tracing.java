package org.trueasync.examples.service;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.logging.LoggingSpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** OpenTelemetry's SDK. Its spans go to the log, where others have an exporter to a collector. */
@Configuration(proxyBeanMethods = false)
class Tracing {
    @Bean
    SdkTracerProvider tracerProvider() {
        return SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(LoggingSpanExporter.create()))
                .build();
    }

    @Bean
    Tracer tracer(SdkTracerProvider provider) {
        return provider.get("shop");
    }
}
