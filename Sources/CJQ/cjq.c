#include "cjq.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A value of jq (jv.h), passed by value: its layout is part of the ABI.
typedef struct {
  unsigned char kind_flags;
  unsigned char pad;
  unsigned short offset;
  int size;
  union {
    void *pointer;
    double number;
  } value;
} jv;

enum { KIND_INVALID = 0, KIND_NULL = 1, KIND_STRING = 5 };

typedef struct jq_state jq_state;
typedef void (*jq_message)(void *context, jv message);
typedef jv (*jq_input)(jq_state *, void *context);

static jq_state *(*init)(void);
static void (*teardown)(jq_state **);
static int (*compile)(jq_state *, const char *);
static void (*start)(jq_state *, jv, int);
static jv (*next)(jq_state *);
static void (*set_error_cb)(jq_state *, jq_message, void *);
static void (*set_debug_cb)(jq_state *, jq_message, void *);
static void (*set_input_cb)(jq_state *, jq_input, void *);
static void (*set_attr)(jq_state *, jv, jv);
static jv (*string)(const char *);
static jv (*array)(void);
static jv (*array_append)(jv, jv);
static jv (*invalid)(void);
static int (*halted)(jq_state *);
static jv (*get_error_message)(jq_state *);
static jv (*parse_sized)(const char *, int);
static jv (*dump_string)(jv, int);
static int (*get_kind)(jv);
static jv (*copy)(jv);
static void (*release)(jv);
static const char *(*string_value)(jv);
static int (*string_length)(jv);
static jv (*invalid_message)(jv);

struct cjq_program {
  jq_state *state;
  char *problem;
};

// Absolute, so that no variable and no folder of a checkout or the program decides what is loaded.
static const char *const folders[] = {
#ifdef __APPLE__
    "/opt/homebrew/lib/libjq.1.dylib",
    "/usr/local/lib/libjq.1.dylib",
    "/usr/lib/libjq.1.dylib",
#else
#if defined(__x86_64__)
    "/usr/lib/x86_64-linux-gnu/libjq.so.1",
#elif defined(__aarch64__)
    "/usr/lib/aarch64-linux-gnu/libjq.so.1",
#elif defined(__riscv)
    "/usr/lib/riscv64-linux-gnu/libjq.so.1",
#endif
    "/usr/lib64/libjq.so.1",
    "/usr/lib/libjq.so.1",
    "/usr/local/lib/libjq.so.1",
#endif
};

const char *cjq_load(void) {
  static int is_loaded;
  if (is_loaded) return NULL;
  void *library = NULL;
  for (size_t index = 0; library == NULL && index < sizeof folders / sizeof *folders; index++) {
    library = dlopen(folders[index], RTLD_NOW | RTLD_LOCAL);
  }
  if (library == NULL) return "it isn't in the system's folders";
#define LOOK_UP(pointer, name)                                                                     \
  *(void **)&pointer = dlsym(library, name);                                                       \
  if (pointer == NULL) return "it lacks " name;
  LOOK_UP(init, "jq_init")
  LOOK_UP(teardown, "jq_teardown")
  LOOK_UP(compile, "jq_compile")
  LOOK_UP(start, "jq_start")
  LOOK_UP(next, "jq_next")
  LOOK_UP(set_error_cb, "jq_set_error_cb")
  LOOK_UP(set_debug_cb, "jq_set_debug_cb")
  LOOK_UP(set_input_cb, "jq_set_input_cb")
  LOOK_UP(set_attr, "jq_set_attr")
  LOOK_UP(string, "jv_string")
  LOOK_UP(array, "jv_array")
  LOOK_UP(array_append, "jv_array_append")
  LOOK_UP(invalid, "jv_invalid")
  LOOK_UP(halted, "jq_halted")
  LOOK_UP(get_error_message, "jq_get_error_message")
  LOOK_UP(parse_sized, "jv_parse_sized")
  LOOK_UP(dump_string, "jv_dump_string")
  LOOK_UP(get_kind, "jv_get_kind")
  LOOK_UP(copy, "jv_copy")
  LOOK_UP(release, "jv_free")
  LOOK_UP(string_value, "jv_string_value")
  LOOK_UP(string_length, "jv_string_length_bytes")
  LOOK_UP(invalid_message, "jv_invalid_get_msg")
  is_loaded = 1;
  return NULL;
}

// Keeps the first problem: those after it only count errors.
static void keep(cjq_program *program, jv message) {
  if (program->problem == NULL && get_kind(message) != KIND_NULL) {
    if (get_kind(message) != KIND_STRING) message = dump_string(message, 0);
    program->problem = strdup(string_value(message));
  }
  release(message);
}

static void keep_message(void *context, jv message) { keep(context, message); }

static void tell(void *context, jv message) {
  (void)context;
  const int ascii = 2;
  jv text = dump_string(message, ascii);
  fprintf(stderr, "%s\n", string_value(text));
  release(text);
}

static jv no_input(jq_state *state, void *context) {
  (void)state;
  (void)context;
  return invalid();
}

cjq_program *cjq_compile(const char *text, const char **problem) {
  static char reason[512];
  cjq_program *program = calloc(1, sizeof *program);
  if (program != NULL) program->state = init();
  if (program == NULL || program->state == NULL) {
    free(program);
    *problem = "there is no memory for it";
    return NULL;
  }
  set_error_cb(program->state, keep_message, program);
  // jq 1.6 calls these even if they aren't set.
  set_debug_cb(program->state, tell, NULL);
  set_input_cb(program->state, no_input, NULL);
  // Where `import` looks. Without them it ends the process.
  set_attr(program->state, string("JQ_LIBRARY_PATH"), array_append(array(), string("~/.jq")));
  set_attr(program->state, string("PROGRAM_ORIGIN"), string("."));
  if (compile(program->state, text)) return program;
  snprintf(
      reason, sizeof reason, "%s", program->problem != NULL ? program->problem : "it can't be compiled");
  *problem = reason;
  cjq_free(program);
  return NULL;
}

static void give(jv value, cjq_result result, void *context) {
  int is_string = get_kind(value) == KIND_STRING;
  jv text = is_string ? value : dump_string(value, 0);
  result(context, string_value(text), (size_t)string_length(copy(text)), is_string);
  release(text);
}

int cjq_run(cjq_program *program, const char *json, size_t length, cjq_result result, void *context) {
  free(program->problem);
  program->problem = NULL;
  jv input;
  if (length > INT_MAX || get_kind(input = parse_sized(json, (int)length)) == KIND_INVALID) {
    if (length > INT_MAX) {
      program->problem = strdup("the JSON is too long");
    } else {
      keep(program, invalid_message(input));
    }
    return 1;
  }
  start(program->state, input, 0);
  jv value;
  while (get_kind(value = next(program->state)) != KIND_INVALID) give(value, result, context);
  if (halted(program->state)) {
    release(value);
    // `halt` has no message, `halt_error` has one.
    jv message = get_error_message(program->state);
    if (get_kind(message) == KIND_INVALID) {
      release(message);
    } else {
      keep(program, message);
    }
  } else {
    jv message = invalid_message(value);
    keep(program, message);
  }
  return program->problem != NULL;
}

const char *cjq_problem(const cjq_program *program) {
  return program->problem != NULL ? program->problem : "";
}

void cjq_free(cjq_program *program) {
  if (program == NULL) return;
  if (program->state != NULL) teardown(&program->state);
  free(program->problem);
  free(program);
}
