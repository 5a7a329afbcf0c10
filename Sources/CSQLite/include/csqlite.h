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

#endif
