// A small reader of JSON. What is missing, or of another kind than asked for, reads as the empty value:
//     json *found = json_parse("{\"a\": [1, 2]}");
//     json_int(json_at(json_get(found, "a"), 1))    is 2
//     json_int(json_at(json_get(found, "b"), 1))    is 0

#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct json json;

json *json_parse(const char *text);  // NULL if it is not JSON; to be freed, with all that was read out of it
void json_free(json *value);

const json *json_get(const json *object, const char *name);
const json *json_at(const json *list, int index);  // also the values of an object
int json_count(const json *list);
const char *json_name(const json *object, int index);

bool json_is_null(const json *value);
bool json_truth(const json *value);
double json_number(const json *value);
int json_int(const json *value);
const char *json_text(const json *value);

void json_write_text(FILE *file, const char *text);  // a string as JSON writes it
void *json_enough(void *memory, size_t bytes);       // realloc, or the end

#endif
