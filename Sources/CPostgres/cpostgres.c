#include "cpostgres.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>

typedef void (*notice_processor)(void *context, const char *message);

#define FUNCTIONS(X)                                                                               \
  X(int, PQlibVersion, (void))                                                                     \
  X(cpostgres_option *, PQconninfoParse, (const char *, char **))                                  \
  X(cpostgres_option *, PQconndefaults, (void))                                                    \
  X(cpostgres_option *, PQconninfo, (cpostgres_connection *))                                      \
  X(void, PQconninfoFree, (cpostgres_option *))                                                    \
  X(void, PQfreemem, (void *))                                                                     \
  X(cpostgres_connection *, PQconnectStartParams,                                                  \
    (const char *const *, const char *const *, int))                                               \
  X(void, PQreset, (cpostgres_connection *))                                                       \
  X(void, PQfinish, (cpostgres_connection *))                                                      \
  X(int, PQstatus, (const cpostgres_connection *))                                                 \
  X(int, PQtransactionStatus, (const cpostgres_connection *))                                      \
  X(char *, PQerrorMessage, (const cpostgres_connection *))                                        \
  X(const char *, PQparameterStatus, (const cpostgres_connection *, const char *))                 \
  X(int, PQserverVersion, (const cpostgres_connection *))                                          \
  X(notice_processor, PQsetNoticeProcessor, (cpostgres_connection *, notice_processor, void *))    \
  X(int, PQsetnonblocking, (cpostgres_connection *, int))                                          \
  X(int, PQsocket, (const cpostgres_connection *))                                                 \
  X(int, PQsendQuery, (cpostgres_connection *, const char *))                                      \
  X(int, PQsendQueryParams,                                                                        \
    (cpostgres_connection *, const char *, int, const unsigned int *, const char *const *,         \
     const int *, const int *, int))                                                               \
  X(int, PQflush, (cpostgres_connection *))                                                        \
  X(int, PQisBusy, (cpostgres_connection *))                                                       \
  X(int, PQconsumeInput, (cpostgres_connection *))                                                 \
  X(cpostgres_result *, PQgetResult, (cpostgres_connection *))                                     \
  X(int, PQresultStatus, (const cpostgres_result *))                                               \
  X(char *, PQresultErrorField, (const cpostgres_result *, int))                                   \
  X(void, PQclear, (cpostgres_result *))                                                           \
  X(int, PQntuples, (const cpostgres_result *))                                                    \
  X(int, PQnfields, (const cpostgres_result *))                                                    \
  X(unsigned int, PQftype, (const cpostgres_result *, int))                                        \
  X(int, PQgetisnull, (const cpostgres_result *, int, int))                                        \
  X(int, PQgetlength, (const cpostgres_result *, int, int))                                        \
  X(char *, PQgetvalue, (const cpostgres_result *, int, int))                                      \
  X(char *, PQcmdTuples, (cpostgres_result *))                                                     \
  X(cpostgres_cancel *, PQgetCancel, (cpostgres_connection *))                                     \
  X(int, PQcancel, (cpostgres_cancel *, char *, int))                                              \
  X(void, PQfreeCancel, (cpostgres_cancel *))

#define POINTER(result, function, parameters) static result(*function) parameters;
FUNCTIONS(POINTER)

// No statement of this package has more.
enum { MOST_PARAMETERS = 128 };

static int formats[MOST_PARAMETERS];

const char *cpostgres_load(void) {
#ifdef __APPLE__
  static const char *const names[] = {
      "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
      "/usr/local/opt/libpq/lib/libpq.5.dylib"};
#else
  static const char *const names[] = {"libpq.so.5"};
#endif
  void *library = NULL;
  for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++) {
    library = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
  }
  if (library == NULL) return dlerror();
#define LOOK_UP(result, function, parameters)                                                      \
  function = (result(*) parameters)dlsym(library, #function);                                      \
  if (function == NULL) return dlerror(); // The next call opens the same library again.
  FUNCTIONS(LOOK_UP)
  for (int index = 0; index < MOST_PARAMETERS; index++) formats[index] = CPOSTGRES_BINARY;
  return NULL;
}

int cpostgres_version(void) { return PQlibVersion(); }

cpostgres_option *cpostgres_parse(const char *text) {
  char *reason = NULL;
  cpostgres_option *options = PQconninfoParse(text, &reason);
  if (reason != NULL) PQfreemem(reason);
  return options;
}

cpostgres_option *cpostgres_defaults(void) { return PQconndefaults(); }

cpostgres_option *cpostgres_options(cpostgres_connection *connection) {
  return PQconninfo(connection);
}

void cpostgres_free_options(cpostgres_option *options) { PQconninfoFree(options); }

cpostgres_connection *cpostgres_start(const char *const *keywords, const char *const *values) {
  return PQconnectStartParams(keywords, values, 1);
}

static void drop_notice(void *context, const char *message) {
  (void)context;
  (void)message;
}

cpostgres_connection *cpostgres_connect(const char *const *keywords, const char *const *values) {
  // Notices that come while libpq connects go to standard error unless a connection has another processor by then. So
  // one is begun, which sends nothing yet, and connects anew, with libpq's own time limits and choice of hosts.
  cpostgres_connection *connection = PQconnectStartParams(keywords, values, 1);
  if (connection == NULL) return NULL;
  PQsetNoticeProcessor(connection, drop_notice, NULL);
  PQreset(connection);
  PQsetnonblocking(connection, 1);
  return connection;
}

void cpostgres_finish(cpostgres_connection *connection) { PQfinish(connection); }

int cpostgres_status(const cpostgres_connection *connection) { return PQstatus(connection); }

int cpostgres_transaction_status(const cpostgres_connection *connection) {
  return PQtransactionStatus(connection);
}

const char *cpostgres_error_message(const cpostgres_connection *connection) {
  return PQerrorMessage(connection);
}

const char *cpostgres_setting(const cpostgres_connection *connection, const char *name) {
  return PQparameterStatus(connection, name);
}

int cpostgres_server_version(const cpostgres_connection *connection) {
  return PQserverVersion(connection);
}

int cpostgres_send(cpostgres_connection *connection, const char *sql) {
  return PQsendQuery(connection, sql);
}

int cpostgres_send_parameters(
    cpostgres_connection *connection, const char *sql, int count, const unsigned int *types,
    const char *const *values, const int *lengths) {
  if (count > MOST_PARAMETERS) return 0;
  return PQsendQueryParams(
      connection, sql, count, types, values, lengths, formats, CPOSTGRES_BINARY);
}

int cpostgres_wait(cpostgres_connection *connection, int milliseconds) {
  for (;;) {
    int unsent = PQflush(connection);
    if (unsent < 0) return CPOSTGRES_LOST;
    if (unsent == 0 && !PQisBusy(connection)) return CPOSTGRES_READY;
    struct pollfd socket = {.fd = PQsocket(connection), .events = POLLIN};
    // A server that doesn't read before it has written would wait for this client, so input is always taken.
    if (unsent > 0) socket.events |= POLLOUT;
    if (socket.fd < 0) return CPOSTGRES_LOST;
    int count = poll(&socket, 1, milliseconds);
    if (count == 0) return CPOSTGRES_SILENT;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CPOSTGRES_LOST;
    if ((socket.revents & ~POLLOUT) != 0 && !PQconsumeInput(connection)) return CPOSTGRES_LOST;
  }
}

cpostgres_result *cpostgres_next_result(cpostgres_connection *connection) {
  return PQgetResult(connection);
}

int cpostgres_result_status(const cpostgres_result *result) { return PQresultStatus(result); }

const char *cpostgres_result_field(const cpostgres_result *result, int field) {
  return PQresultErrorField(result, field);
}

void cpostgres_clear(cpostgres_result *result) { PQclear(result); }

int cpostgres_row_count(const cpostgres_result *result) { return PQntuples(result); }

int cpostgres_column_count(const cpostgres_result *result) { return PQnfields(result); }

unsigned int cpostgres_column_type(const cpostgres_result *result, int column) {
  return PQftype(result, column);
}

int cpostgres_is_null(const cpostgres_result *result, int row, int column) {
  return PQgetisnull(result, row, column);
}

int cpostgres_length(const cpostgres_result *result, int row, int column) {
  return PQgetlength(result, row, column);
}

const char *cpostgres_value(const cpostgres_result *result, int row, int column) {
  return PQgetvalue(result, row, column);
}

const char *cpostgres_changes(cpostgres_result *result) { return PQcmdTuples(result); }

cpostgres_cancel *cpostgres_get_cancel(cpostgres_connection *connection) {
  return PQgetCancel(connection);
}

int cpostgres_send_cancel(cpostgres_cancel *cancel) {
  char problem[256];
  return PQcancel(cancel, problem, (int)sizeof problem);
}

void cpostgres_free_cancel(cpostgres_cancel *cancel) { PQfreeCancel(cancel); }
