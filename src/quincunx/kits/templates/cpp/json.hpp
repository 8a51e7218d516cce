// A small reader of JSON. What is missing, or of another kind than asked for, reads as the empty value:
//     Json::parse("{\"a\": [1, 2]}")["a"][1].integer()    is 2
//     Json::parse("{}")["a"][1].integer()                 is 0

#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

class Json {
public:
    static Json parse(const std::string& text);
    static std::string quoted(const std::string& text);  // a string as JSON writes it

    bool is_null() const { return kind == Kind::null; }
    bool truth() const { return kind == Kind::boolean && value != 0; }
    double number() const { return kind == Kind::number ? value : 0; }
    int integer() const { return static_cast<int>(number()); }
    const std::string& text() const { return string; }
    const std::vector<Json>& items() const { return list; }                // of a list, or the values of an object
    const std::vector<std::string>& names() const { return field_names; }  // of an object, in the order of its items

    const Json& operator[](const char* name) const {
        for (std::size_t k = 0; k < field_names.size(); k++) {
            if (field_names[k] == name) return list[k];
        }
        return nothing();
    }

    const Json& operator[](int index) const {
        return index >= 0 && static_cast<std::size_t>(index) < list.size() ? list[index] : nothing();
    }

private:
    enum class Kind { null, boolean, number, string, list, object };
    Kind kind = Kind::null;
    double value = 0;  // of a number; 1 is true
    std::string string;
    std::vector<Json> list;
    std::vector<std::string> field_names;

    static const Json& nothing() {
        static const Json empty;
        return empty;
    }

    friend class JsonReader;
};

class JsonReader {
public:
    explicit JsonReader(const std::string& text) : at(text.c_str()), end(at + text.size()) {}

    Json whole() {
        Json found = read(0);
        blanks();
        if (at != end) wrong("the end");
        return found;
    }

private:
    static constexpr int deepest = 500;
    const char* at;
    const char* end;  // a 0 stands here

    Json read(int depth) {
        blanks();
        if (depth > deepest) wrong("fewer brackets");
        Json found;
        switch (*at) {
            case '{': object(found, depth); break;
            case '[': list(found, depth); break;
            case '"': found.kind = Json::Kind::string; found.string = string(); break;
            case 't': word("true"); found.kind = Json::Kind::boolean; found.value = 1; break;
            case 'f': word("false"); found.kind = Json::Kind::boolean; break;
            case 'n': word("null"); break;
            default: found.kind = Json::Kind::number; found.value = number();
        }
        return found;
    }

    void object(Json& found, int depth) {
        found.kind = Json::Kind::object;
        at++;
        blanks();
        if (took('}')) return;
        do {
            blanks();
            found.field_names.push_back(string());
            blanks();
            take(':');
            found.list.push_back(read(depth + 1));
            blanks();
        } while (took(','));
        take('}');
    }

    void list(Json& found, int depth) {
        found.kind = Json::Kind::list;
        at++;
        blanks();
        if (took(']')) return;
        do {
            found.list.push_back(read(depth + 1));
            blanks();
        } while (took(','));
        take(']');
    }

    std::string string() {
        std::string found;
        take('"');
        while (*at != '"') {
            if (static_cast<unsigned char>(*at) < ' ') wrong("the end of a string");
            if (*at == '\\') {
                at++;
                escaped(found);
            } else {
                found += *at++;
            }
        }
        at++;
        return found;
    }

    void escaped(std::string& found) {
        switch (*at++) {
            case '"': found += '"'; break;
            case '\\': found += '\\'; break;
            case '/': found += '/'; break;
            case 'b': found += '\b'; break;
            case 'f': found += '\f'; break;
            case 'n': found += '\n'; break;
            case 'r': found += '\r'; break;
            case 't': found += '\t'; break;
            case 'u': unicode(found); break;
            default: wrong("an escape");
        }
    }

    void unicode(std::string& found) {
        unsigned code = four_digits();
        if (code >= 0xD800 && code < 0xDC00 && at[0] == '\\' && at[1] == 'u') {  // the first half of a pair
            const char* second = at;
            at += 2;
            unsigned low = four_digits();
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            } else {
                at = second;
            }
        }
        if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;  // half of a pair is no letter
        utf8(found, code);
    }

    unsigned four_digits() {
        unsigned code = 0;
        for (int k = 0; k < 4; k++, at++) {
            if (*at >= '0' && *at <= '9') code = code * 16 + (*at - '0');
            else if (*at >= 'a' && *at <= 'f') code = code * 16 + (*at - 'a' + 10);
            else if (*at >= 'A' && *at <= 'F') code = code * 16 + (*at - 'A' + 10);
            else wrong("a hexadecimal digit");
        }
        return code;
    }

    static void utf8(std::string& found, unsigned code) {
        if (code < 0x80) {
            found += static_cast<char>(code);
            return;
        }
        int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        static const int first[] = {0, 0xC0, 0xE0, 0xF0};
        found += static_cast<char>(first[more] | code >> 6 * more);
        while (more-- > 0) found += static_cast<char>(0x80 | (code >> 6 * more & 0x3F));
    }

    double number() {
        if (*at != '-' && (*at < '0' || *at > '9')) wrong("a value");
        char* after;
        double found = std::strtod(at, &after);
        if (after == at) wrong("a number");
        at = after;
        return found;
    }

    void word(const char* word) {
        for (; *word; word++, at++) {
            if (*at != *word) wrong("true, false or null");
        }
    }

    void blanks() {
        while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') at++;
    }

    bool took(char wanted) {
        bool there = *at == wanted;
        at += there;
        return there;
    }

    void take(char wanted) {
        if (!took(wanted)) wrong(std::string(1, wanted));
    }

    [[noreturn]] void wrong(const std::string& wanted) const {
        throw std::runtime_error("JSON needs " + wanted + ", " + std::to_string(end - at) + " letters from the end");
    }
};

inline Json Json::parse(const std::string& text) { return JsonReader(text).whole(); }

inline std::string Json::quoted(const std::string& text) {
    std::string out = "\"";
    for (unsigned char letter : text) {
        if (letter == '"' || letter == '\\') {
            out += '\\';
            out += static_cast<char>(letter);
        } else if (letter < ' ') {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", letter);
            out += escape;
        } else {
            out += static_cast<char>(letter);
        }
    }
    return out + "\"";
}
