package io.gpuflow.flow;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.Locale;

/** Enum constants as the words people read: {@code fail}, {@code nvswitch-all-to-all}. */
final class EnumWords {
    private EnumWords() {}

    static String word(Enum<?> constant) {
        return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Module module() {
        SimpleModule module = new SimpleModule();
        module.addSerializer(new Writer());
        module.setDeserializerModifier(
                new BeanDeserializerModifier() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public JsonDeserializer<?> modifyEnumDeserializer(
                            DeserializationConfig config,
                            JavaType type,
                            BeanDescription bean,
                            JsonDeserializer<?> usual) {
                        return new Reader(type.getRawClass());
                    }
                });
        return module;
    }

    @SuppressWarnings("rawtypes")
    private static final class Writer extends StdSerializer<Enum> {
        private static final long serialVersionUID = 1L;

        Writer() {
            super(Enum.class);
        }

        @Override
        public void serialize(Enum constant, JsonGenerator out, SerializerProvider provider)
                throws IOException {
            out.writeString(word(constant));
        }
    }

    private static final class Reader extends StdDeserializer<Object> {
        private static final long serialVersionUID = 1L;

        Reader(Class<?> type) {
            super(type);
        }

        @Override
        public Object deserialize(JsonParser in, DeserializationContext context)
                throws IOException {
            String text = in.getText();
            for (Object constant : handledType().getEnumConstants()) {
                if (word((Enum<?>) constant).equals(text)) {
                    return constant;
                }
            }
            return context.handleWeirdStringValue(handledType(), text, "not one of its words");
        }
    }
}
