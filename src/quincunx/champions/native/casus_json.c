/* A small reader of JSON (RFC 8259), C99. Values come from blocks that are used again for the next text. */
#include "casus_json.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH 64  /* of arrays and objects in each other */
#define BLOCK 4096

struct block {
    struct block *next;
    json values[BLOCK];
};

static struct block *blocks, *filling;
static int filled;
static char *at; /* what was not read yet */

static json *value(int depth);

static json *new_value(json_kind kind) {
    if (!filling || filled == BLOCK) {
        struct block *next = filling ? filling->next : blocks;
        if (!next) {
            next = malloc(sizeof *next);
            if (!next) abort();
            next->next = NULL;
            if (filling) filling->next = next;
            else blocks = next;
        }
        filling = next;
        filled = 0;
    }
    json *made = &filling->values[filled++];
    memset(made, 0, sizeof *made);
    made->kind = kind;
    return made;
}

static void skip_space(void) {
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') at++;
}

static int hex_digits(const char *from) {
    int code = 0;
    for (int k = 0; k < 4; k++) {
        char c = from[k];
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (digit < 0) return -1;
        code = code * 16 + digit;
    }
    return code;
}

/* The character of \uXXXX, or of two of them; at stands on the first u, and afterwards on the last digit. */
static int unicode(void) {
    int code = hex_digits(at + 1);
    if (code < 0) return -1;
    at += 4;
    if (code >= 0xD800 && code < 0xDC00 && at[1] == '\\' && at[2] == 'u') {
        int low = hex_digits(at + 3);
        if (low < 0xDC00 || low > 0xDFFF) return -1;
        at += 6;
        return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    return code;
}

static char *put(char *to, int code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 63));
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    }
    return to;
}

/* Decodes the string on which `at` stands, in place; it never gets longer. */
static const char *string(void) {
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char *begin = ++at, *to = begin;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20) return NULL;
        if (*at != '\\') {
            *to++ = *at;
            continue;
        }
        at++;
        const char *found = *at ? strchr(names, *at) : NULL;
        if (found) {
            *to++ = meant[found - names];
        } else if (*at == 'u') {
            int code = unicode();
            if (code < 0) return NULL;
            to = put(to, code);
        } else {
            return NULL;
        }
    }
    at++;
    *to = '\0';
    return begin;
}

static json *word(const char *name, json_kind kind) {
    size_t length = strlen(name);
    if (strncmp(at, name, length)) return NULL;
    at += length;
    return new_value(kind);
}

static json *number(void) {
    char *end;
    double read = strtod(at, &end);
    if (end == at || (*at != '-' && (*at < '0' || *at > '9'))) return NULL;
    at = end;
    json *made = new_value(JSON_NUMBER);
    made->number = read;
    return made;
}

static json *several(int depth, json_kind kind, char close) {
    json *made = new_value(kind), **tail = &made->first;
    at++;
    skip_space();
    if (*at == close) {
        at++;
        return made;
    }
    for (;;) {
        const char *key = NULL;
        skip_space();
        if (kind == JSON_OBJECT) {
            if (*at != '"' || !(key = string())) return NULL;
            skip_space();
            if (*at++ != ':') return NULL;
        }
        json *one = value(depth + 1);
        if (!one) return NULL;
        one->key = key;
        *tail = one;
        tail = &one->next;
        skip_space();
        if (*at == close) {
            at++;
            return made;
        }
        if (*at++ != ',') return NULL;
    }
}

static json *value(int depth) {
    if (depth > DEPTH) return NULL;
    skip_space();
    switch (*at) {
    case '{': return several(depth, JSON_OBJECT, '}');
    case '[': return several(depth, JSON_ARRAY, ']');
    case 't': return word("true", JSON_TRUE);
    case 'f': return word("false", JSON_FALSE);
    case 'n': return word("null", JSON_NULL);
    case '"': {
        const char *read = string();
        if (!read) return NULL;
        json *made = new_value(JSON_STRING);
        made->string = read;
        return made;
    }
    default: return number();
    }
}

const json *json_read(char *text) {
    at = text;
    filling = NULL;
    json *read = value(0);
    if (!read) return NULL;
    skip_space();
    return *at ? NULL : read;
}

const json *json_get(const json *object, const char *key) {
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (const json *one = object->first; one; one = one->next)
        if (!strcmp(one->key, key)) return one;
    return NULL;
}

const char *json_string(const json *value) {
    return value && value->kind == JSON_STRING ? value->string : "";
}

int json_int(const json *value) {
    return value && value->kind == JSON_NUMBER ? (int)value->number : 0;
}

int json_length(const json *array) {
    int length = 0;
    for (const json *one = array ? array->first : NULL; one; one = one->next) length++;
    return length;
}
