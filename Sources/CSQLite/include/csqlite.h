// SQLite's functions with variable arguments, which Swift can't call.

#ifndef CSQLITE_H
#define CSQLITE_H

/// Keeps what a damaged or malicious file says from being carried out: its schema may call no function that
/// isn't harmless, and nothing may be written past the tables
/// (https://www.sqlite.org/c3ref/c_dbconfig_defensive.html).
///
/// @param connection A `sqlite3 *`.
/// @return SQLite's result code.
int csqlite_defend(void *_Nonnull connection);

/// Says whether views and triggers of the file may call functions that SQLite doesn't know to be harmless: before
/// 3.41 those of JSON are among them.
///
/// @param connection A `sqlite3 *`.
/// @param is_trusted 1 or 0.
/// @return SQLite's result code.
int csqlite_trust_schema(void *_Nonnull connection, int is_trusted);

#endif
