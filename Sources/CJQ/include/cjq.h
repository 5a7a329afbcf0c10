// libjq for Swift, loaded at run time and from the system's folders only: most runs don't need it. cjq.c declares what
// it uses. The ABI of `libjq.so.1` hasn't changed since jq 1.5, so the build needs no header
// (https://github.com/jqlang/jq/blob/master/src/jv.h and jq.h).
#pragma once

#include <stddef.h>

/// Compiled, for one thread at a time.
typedef struct cjq_program cjq_program;

/// Takes one result: compact JSON, or the text of a string.
typedef void (*cjq_result)(void *context, const char *text, size_t length, int is_string);

/// Call it before anything else, from one thread at a time. Returns NULL, or the problem.
const char *cjq_load(void);

/// Returns NULL if the program can't be compiled, with a reason in `*problem` that is valid until the next call.
cjq_program *cjq_compile(const char *text, const char **problem);

/// Passes on the program's results for a JSON text. Returns 0, or 1 with a reason in `cjq_problem`.
int cjq_run(cjq_program *program, const char *json, size_t length, cjq_result result, void *context);

const char *cjq_problem(const cjq_program *program);

void cjq_free(cjq_program *program);
