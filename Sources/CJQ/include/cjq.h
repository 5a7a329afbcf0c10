// libjq for Swift: loaded at run time, from the system's folders only.
//
// Most runs have no use for it, and pay nothing. The few declarations of libjq's that are needed stand in
// cjq.c: their ABI is that of `libjq.so.1`, which has not changed since jq 1.5, so that no header of jq's has to
// be there when the package is built (https://github.com/jqlang/jq/blob/master/src/jv.h and jq.h).
#pragma once

#include <stddef.h>

/// A compiled program, which one thread at a time may use.
typedef struct cjq_program cjq_program;

/// Is given one result: compact JSON, or where it is a string its text.
typedef void (*cjq_result)(void *context, const char *text, size_t length, int is_string);

/// Loads libjq and looks its functions up. To be called before anything else, by one thread at a time.
/// Returns NULL, or what is wrong.
const char *cjq_load(void);

/// Compiles a program, for one thread at a time. Returns NULL where it can't be; `*problem` is the reason then, valid
/// until the next call.
cjq_program *cjq_compile(const char *text, const char **problem);

/// Gives the results that a program has for a JSON text, one after the other.
/// Returns 0; 1 where it failed, for which `cjq_problem` has the reason.
int cjq_run(cjq_program *program, const char *json, size_t length, cjq_result result, void *context);

/// Why running it failed; valid until the program is used again.
const char *cjq_problem(const cjq_program *program);

/// Frees a program.
void cjq_free(cjq_program *program);
