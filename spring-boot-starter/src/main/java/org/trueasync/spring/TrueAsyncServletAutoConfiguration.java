package org.trueasync.spring;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.EnumSet;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.Ordered;

/** Requests have names: {@code GET /path} is what {@link Thread#getName} and so the log's lines tell of them. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
@Conditional(OnCoroutines.class)
class TrueAsyncServletAutoConfiguration {
    private static final int LONGEST = 100;

    @Bean
    FilterRegistrationBean<Filter> requestNameFilter() {
        var filter = new FilterRegistrationBean<Filter>((request, response, chain) -> {
            Thread thread = Thread.currentThread();
            // a test's thread keeps its name
            if (!(request instanceof HttpServletRequest http) || !OnCoroutines.isHere()) {
                chain.doFilter(request, response);
                return;
            }
            String before = thread.getName();
            // as it was sent, so without line breaks, and without the query, where secrets may be
            String name = http.getMethod() + " " + http.getRequestURI();
            thread.setName(name.length() > LONGEST ? name.substring(0, LONGEST) : name);
            try {
                chain.doFilter(request, response);
            } finally {
                thread.setName(before);
            }
        });
        filter.setName("trueasyncRequestName");
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        filter.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
        filter.setAsyncSupported(true);
        return filter;
    }
}
