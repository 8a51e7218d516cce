// A small reader of JSON: see json.h. A value is a tree of its own; \u0000 in a string ends it, as C has it.

#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 500 };
enum kind { NOTHING, BOOLEAN, NUMBER, TEXT, LIST, OBJECT };

struct json {
    enum kind kind;
    double number;  // 1 is true
    char *text;
    json *items;   // of a list, or the values of an object
    char **names;  // of an object
    int count, room;
};

typedef struct {
    const char *at;
    bool wrong;  // it is not JSON: nothing more is read
} reader;

static const json nothing;

static void read_value(reader *r, json *found, int depth);

void *json_enough(void *memory, size_t bytes) {
    void *found = realloc(memory, bytes);
    if (!found) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return found;
}

static void skip_blanks(reader *r) {
    r->at += strspn(r->at, " \t\r\n");
}

static bool took(reader *r, char wanted) {
    if (r->wrong || *r->at != wanted) return false;
    r->at++;
    return true;
}

static void take(reader *r, char wanted) {
    if (!took(r, wanted)) r->wrong = true;
}

static unsigned read_four_digits(reader *r) {
    unsigned code = 0;
    for (int k = 0; k < 4; k++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = *r->at ? strchr(digits, *r->at) : NULL;
        if (!digit) {
            r->wrong = true;
            return 0;
        }
        code = code * 16 + (digit - digits) % 16;
        r->at++;
    }
    return code;
}

static unsigned read_unicode(reader *r) {
    unsigned code = read_four_digits(r);
    if (code >= 0xD800 && code < 0xDC00 && r->at[0] == '\\' && r->at[1] == 'u') {  // the first half of a pair
        const char *second = r->at;
        r->at += 2;
        unsigned low = read_four_digits(r);
        if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else {
            r->at = second;
        }
    }
    return code >= 0xD800 && code < 0xE000 ? 0xFFFD : code;  // half of a pair is no letter
}

static char *write_utf8(char *to, unsigned code) {
    static const int first[] = {0, 0xC0, 0xE0, 0xF0};
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)(first[more] | code >> 6 * more);
    while (more-- > 0) *to++ = (char)(0x80 | (code >> 6 * more & 0x3F));
    return to;
}

static char *read_escape(reader *r, char *to) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char letter = *r->at;
    const char *which = letter ? strchr(letters, letter) : NULL;
    if (which) {
        r->at++;
        *to++ = meant[which - letters];
    } else if (letter == 'u') {
        r->at++;
        to = write_utf8(to, read_unicode(r));
    } else {
        r->wrong = true;
    }
    return to;
}

static char *read_text(reader *r) {
    take(r, '"');
    const char *end = r->at;  // a text is never longer than it is written
    while (*end && *end != '"') end += *end == '\\' && end[1] ? 2 : 1;
    char *found = json_enough(NULL, (size_t)(end - r->at) + 1), *to = found;
    while (!r->wrong && *r->at != '"') {
        if ((unsigned char)*r->at < ' ') r->wrong = true;
        else if (took(r, '\\')) to = read_escape(r, to);
        else *to++ = *r->at++;
    }
    *to = 0;
    take(r, '"');
    return found;
}

static json *add(json *list) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 4;
        list->items = json_enough(list->items, list->room * sizeof *list->items);
        if (list->kind == OBJECT) list->names = json_enough(list->names, list->room * sizeof *list->names);
    }
    list->items[list->count] = nothing;
    return &list->items[list->count++];
}

static void read_list(reader *r, json *found, int depth, char end) {
    r->at++;
    skip_blanks(r);
    if (took(r, end)) return;
    do {
        json *item = add(found);
        if (found->kind == OBJECT) {
            skip_blanks(r);
            found->names[found->count - 1] = read_text(r);
            skip_blanks(r);
            take(r, ':');
        }
        read_value(r, item, depth + 1);
        skip_blanks(r);
    } while (took(r, ','));
    take(r, end);
}

static void read_word(reader *r, json *found, const char *word, enum kind kind, double number) {
    size_t length = strlen(word);
    if (strncmp(r->at, word, length) != 0) r->wrong = true;
    else r->at += length;
    found->kind = kind;
    found->number = number;
}

static void read_number(reader *r, json *found) {
    char *after = (char *)r->at;
    if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9')) found->number = strtod(r->at, &after);
    if (after == r->at) r->wrong = true;
    r->at = after;
    found->kind = NUMBER;
}

static void read_value(reader *r, json *found, int depth) {
    skip_blanks(r);
    if (depth > DEEPEST) r->wrong = true;
    if (r->wrong) return;
    switch (*r->at) {
        case '{': found->kind = OBJECT; read_list(r, found, depth, '}'); break;
        case '[': found->kind = LIST; read_list(r, found, depth, ']'); break;
        case '"': found->kind = TEXT; found->text = read_text(r); break;
        case 't': read_word(r, found, "true", BOOLEAN, 1); break;
        case 'f': read_word(r, found, "false", BOOLEAN, 0); break;
        case 'n': read_word(r, found, "null", NOTHING, 0); break;
        default: read_number(r, found);
    }
}

json *json_parse(const char *text) {
    reader r = {text, false};
    json *found = json_enough(NULL, sizeof *found);
    *found = nothing;
    read_value(&r, found, 0);
    skip_blanks(&r);
    if (!r.wrong && !*r.at) return found;
    json_free(found);
    return NULL;
}

static void empty(json *value) {
    for (int k = 0; k < value->count; k++) {
        empty(&value->items[k]);
        if (value->kind == OBJECT) free(value->names[k]);
    }
    free(value->items);
    free(value->names);
    free(value->text);
}

void json_free(json *value) {
    if (value) empty(value);
    free(value);
}

const json *json_get(const json *object, const char *name) {
    for (int k = 0; object->kind == OBJECT && k < object->count; k++) {
        if (strcmp(object->names[k], name) == 0) return &object->items[k];
    }
    return &nothing;
}

const json *json_at(const json *list, int index) {
    return index >= 0 && index < list->count ? &list->items[index] : &nothing;
}

int json_count(const json *list) { return list->count; }
const char *json_name(const json *object, int k) { return object->kind == OBJECT && k < object->count ? object->names[k] : ""; }
bool json_is_null(const json *value) { return value->kind == NOTHING; }
bool json_truth(const json *value) { return value->kind == BOOLEAN && value->number != 0; }
double json_number(const json *value) { return value->kind == NUMBER ? value->number : 0; }
int json_int(const json *value) { return (int)json_number(value); }
const char *json_text(const json *value) { return value->kind == TEXT ? value->text : ""; }

void json_write_text(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < ' ') fprintf(file, "\\u%04x", *text);
        else fputc(*text, file);
    }
    fputc('"', file);
}
