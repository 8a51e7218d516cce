// A small reader of JSON. What is missing, or of another kind than asked for, reads as the empty value:
//     Json.parse("{\"a\": [1, 2]}").get("a").at(1).integer()    is 2
//     Json.parse("{}").get("a").at(1).integer()                 is 0

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class Json {
    static final Json NULL = new Json(null);
    private final Object value; // Map<String, Json>, List<Json>, String, Double, Boolean or null

    private Json(Object value) {
        this.value = value;
    }

    static Json parse(String text) {
        Reader reader = new Reader(text);
        Json found = reader.value(0);
        reader.blanks();
        if (reader.at < text.length()) {
            throw reader.wrong("the end");
        }
        return found;
    }

    boolean isNull() {
        return value == null;
    }

    Json get(String name) {
        return fields().getOrDefault(name, NULL);
    }

    Json at(int index) {
        List<Json> items = items();
        return index >= 0 && index < items.size() ? items.get(index) : NULL;
    }

    @SuppressWarnings("unchecked")
    Map<String, Json> fields() {
        return value instanceof Map ? (Map<String, Json>) value : Map.of();
    }

    @SuppressWarnings("unchecked")
    List<Json> items() {
        return value instanceof List ? (List<Json>) value : List.of();
    }

    String text() {
        return value instanceof String ? (String) value : "";
    }

    double number() {
        return value instanceof Double ? (Double) value : 0;
    }

    int integer() {
        return (int) number();
    }

    boolean truth() {
        return value instanceof Boolean && (Boolean) value;
    }

    /** A string as JSON writes it. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\') {
                out.append('\\').append(letter);
            } else if (letter < ' ' || letter > '~') {
                out.append(String.format("\\u%04x", (int) letter));
            } else {
                out.append(letter);
            }
        }
        return out.append('"').toString();
    }

    private static final class Reader {
        private static final int DEEPEST = 500;
        private final String text;
        private int at = 0;

        Reader(String text) {
            this.text = text;
        }

        Json value(int depth) {
            blanks();
            if (depth > DEEPEST) {
                throw wrong("fewer brackets");
            }
            switch (peek()) {
                case '{': return new Json(object(depth));
                case '[': return new Json(list(depth));
                case '"': return new Json(string());
                case 't': return word("true", true);
                case 'f': return word("false", false);
                case 'n': return word("null", null);
                default: return new Json(number());
            }
        }

        private Map<String, Json> object(int depth) {
            Map<String, Json> found = new LinkedHashMap<>();
            at += 1;
            blanks();
            if (took('}')) {
                return found;
            }
            do {
                blanks();
                String name = string();
                blanks();
                take(':');
                found.put(name, value(depth + 1));
                blanks();
            } while (took(','));
            take('}');
            return found;
        }

        private List<Json> list(int depth) {
            List<Json> found = new ArrayList<>();
            at += 1;
            blanks();
            if (took(']')) {
                return found;
            }
            do {
                found.add(value(depth + 1));
                blanks();
            } while (took(','));
            take(']');
            return found;
        }

        private String string() {
            take('"');
            StringBuilder found = new StringBuilder();
            while (peek() != '"') {
                char letter = text.charAt(at++);
                if (letter < ' ') {
                    throw wrong("an escape");
                }
                found.append(letter == '\\' ? escaped() : letter);
            }
            at += 1;
            return found.toString();
        }

        /** What stands after a backslash. Java's strings hold surrogates as JSON writes them. */
        private char escaped() {
            int which = "\"\\/bfnrtu".indexOf(peek());
            if (which < 0) {
                throw wrong("an escape");
            }
            at += 1;
            if (which < 8) {
                return "\"\\/\b\f\n\r\t".charAt(which);
            }
            int code = 0;
            for (int k = 0; k < 4; k++, at++) {
                int digit = Character.digit(peek(), 16);
                if (digit < 0) {
                    throw wrong("a hexadecimal digit");
                }
                code = code * 16 + digit;
            }
            return (char) code;
        }

        private Double number() {
            int start = at;
            while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
                at += 1;
            }
            try {
                return Double.valueOf(text.substring(start, at));
            } catch (NumberFormatException error) {
                throw wrong("a value");
            }
        }

        private Json word(String word, Object meaning) {
            if (!text.startsWith(word, at)) {
                throw wrong(word);
            }
            at += word.length();
            return new Json(meaning);
        }

        void blanks() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at += 1;
            }
        }

        private char peek() {
            if (at >= text.length()) {
                throw wrong("more");
            }
            return text.charAt(at);
        }

        private boolean took(char wanted) {
            boolean there = at < text.length() && text.charAt(at) == wanted;
            at += there ? 1 : 0;
            return there;
        }

        private void take(char wanted) {
            if (!took(wanted)) {
                throw wrong("" + wanted);
            }
        }

        IllegalArgumentException wrong(String wanted) {
            return new IllegalArgumentException("JSON needs " + wanted + " at " + at);
        }
    }
}
