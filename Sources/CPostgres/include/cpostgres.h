// libpq for Swift, loaded at run time: who doesn't use PostgreSQL needs no package for it, and pays nothing at the start.
// The ABI of `libpq.so.5` only grows, so the build needs no header; cpostgres.c declares what it uses
// (https://www.postgresql.org/docs/current/libpq.html). Functions have libpq's names.
#pragma once

#include <stddef.h>

typedef struct pg_conn cpostgres_connection;
typedef struct pg_result cpostgres_result;
typedef struct pg_cancel cpostgres_cancel;

/// One setting of a connection. The same as libpq's PQconninfoOption.
typedef struct {
  char *keyword;
  char *variable;
  char *compiled;
  char *value;
  char *label;
  char *display_character;
  int display_size;
} cpostgres_option;

enum {
  CPOSTGRES_OK = 0,                // CONNECTION_OK
  CPOSTGRES_COMMAND_OK = 1,        // PGRES_COMMAND_OK
  CPOSTGRES_TUPLES_OK = 2,         // PGRES_TUPLES_OK
  CPOSTGRES_TRANSACTION_IDLE = 0,  // PQTRANS_IDLE
  CPOSTGRES_SQLSTATE = 'C',         // PG_DIAG_SQLSTATE
  CPOSTGRES_MESSAGE = 'M',         // PG_DIAG_MESSAGE_PRIMARY
  CPOSTGRES_BINARY = 1,
  CPOSTGRES_READY = 1,   // the outcomes of cpostgres_wait
  CPOSTGRES_SILENT = 0,
  CPOSTGRES_LOST = -1,
};

/// Call it before anything else, from one thread at a time. Returns NULL, or the problem.
const char *cpostgres_load(void);

/// Of the library that was loaded, such as 150018.
int cpostgres_version(void);

/// Reads a connection string. Returns NULL if it can't be read. The reason may contain parts of it, such as a password,
/// and isn't returned.
cpostgres_option *cpostgres_parse(const char *text);

/// The settings of variables and of the service that they name.
cpostgres_option *cpostgres_defaults(void);

/// The settings of a connection, with those of its service.
cpostgres_option *cpostgres_options(cpostgres_connection *connection);

void cpostgres_free_options(cpostgres_option *options);

/// Begins to connect, and doesn't wait.
cpostgres_connection *cpostgres_start(const char *const *keywords, const char *const *values);

/// Waits until the connection stands or has failed. Messages of the server that are no errors are dropped.
cpostgres_connection *cpostgres_connect(const char *const *keywords, const char *const *values);

void cpostgres_finish(cpostgres_connection *connection);
int cpostgres_status(const cpostgres_connection *connection);
int cpostgres_transaction_status(const cpostgres_connection *connection);
const char *cpostgres_error_message(const cpostgres_connection *connection);
const char *cpostgres_setting(const cpostgres_connection *connection, const char *name);
int cpostgres_server_version(const cpostgres_connection *connection);

/// Begins to run statements without parameters. Returns 0 if the connection can't do that.
int cpostgres_send(cpostgres_connection *connection, const char *sql);

/// Begins to run one statement. Parameters and results are binary. The statement has no name on the server, because a
/// pooler may run the next one on another connection.
int cpostgres_send_parameters(
    cpostgres_connection *connection, const char *sql, int count, const unsigned int *types,
    const char *const *values, const int *lengths);

/// Waits until the next result is there, or until the server has neither read nor written anything for the given time.
int cpostgres_wait(cpostgres_connection *connection, int milliseconds);

/// The next result of what was sent; NULL after the last one. Call `cpostgres_wait` before, or it waits without limit.
cpostgres_result *cpostgres_next_result(cpostgres_connection *connection);

int cpostgres_result_status(const cpostgres_result *result);
const char *cpostgres_result_field(const cpostgres_result *result, int field);
void cpostgres_clear(cpostgres_result *result);
int cpostgres_row_count(const cpostgres_result *result);
int cpostgres_column_count(const cpostgres_result *result);
unsigned int cpostgres_column_type(const cpostgres_result *result, int column);
int cpostgres_is_null(const cpostgres_result *result, int row, int column);
int cpostgres_length(const cpostgres_result *result, int row, int column);
const char *cpostgres_value(const cpostgres_result *result, int row, int column);

/// How many rows a statement changed, as text.
const char *cpostgres_changes(cpostgres_result *result);

/// What cancels the statement that a connection runs. May be used from any thread, also while the connection is busy.
cpostgres_cancel *cpostgres_get_cancel(cpostgres_connection *connection);

/// Asks the server to cancel, and waits until it has been told. Returns 1 if so.
int cpostgres_send_cancel(cpostgres_cancel *cancel);

void cpostgres_free_cancel(cpostgres_cancel *cancel);
