#include "csqlite.h"

#include <sqlite3.h>

int csqlite_defend(void *connection) {
  int result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (result != SQLITE_OK) return result;
  return csqlite_trust_schema(connection, 0);
}

int csqlite_trust_schema(void *connection, int is_trusted) {
  return sqlite3_db_config(
      connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, is_trusted, (int *)0);
}
