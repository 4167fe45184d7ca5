// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Operating-system signals as calls. The JDK offers them in a class of the module {@code jdk.unsupported} only, reached by
 * reflection because the compiler warns of its name; where it is missing, signals keep their default meaning.
 */
final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    /** From now on the signal calls the handler, on a thread of the virtual machine, instead of ending the process. */
    static void handle(String name, Consumer<String> handler) {
        try {
            Class<?> signalClass = Class.forName("sun.misc.Signal");
            Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
            Object signal = signalClass.getConstructor(String.class).newInstance(name);
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handlerClass}, (self, method, arguments) -> {
                        return switch (method.getName()) {
                            case "hashCode" -> System.identityHashCode(self);
                            case "equals" -> self == arguments[0];
                            case "toString" -> "handler of " + name;
                            default -> {
                                handler.accept(name);
                                yield null;
                            }
                        };
                    });
            signalClass.getMethod("handle", signalClass, handlerClass).invoke(null, signal, proxy);
        } catch (InvocationTargetException e) {
            LOG.warn("signal {} keeps its default meaning: {}", name, String.valueOf(e.getCause()));
        } catch (ReflectiveOperationException e) {
            LOG.warn("signal {} keeps its default meaning: {}", name, e.toString());
        }
    }
}
