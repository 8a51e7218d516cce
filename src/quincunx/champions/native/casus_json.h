/* A small reader of JSON: one text becomes a tree; strings are decoded in place. */
#ifndef CASUS_JSON_H
#define CASUS_JSON_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

typedef struct json {
    json_kind kind;
    const char *key;    /* in an object */
    const char *string; /* UTF-8, ends with NUL */
    double number;
    struct json *first; /* of an array or an object */
    struct json *next;  /* in its array or object */
} json;

/* NULL if `text` is no JSON. The tree lives in `text` and until the next call. */
const json *json_read(char *text);

/* These take NULL for "nothing there", and answer it so. */
const json *json_get(const json *object, const char *key);
const char *json_string(const json *value); /* "" if it is none */
int json_int(const json *value);            /* 0 if it is none */
int json_length(const json *array);

#ifdef __cplusplus
}
#endif

#endif
