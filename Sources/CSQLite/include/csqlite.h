// SQLite's functions with variable arguments, which Swift can't call.

#ifndef CSQLITE_H
#define CSQLITE_H

/// Keeps a malicious file harmless: its schema calls no unsafe function, and nothing writes past the tables
/// (https://www.sqlite.org/c3ref/c_dbconfig_defensive.html). Takes a `sqlite3 *`, and returns SQLite's code.
int csqlite_defend(void *_Nonnull connection);

/// Whether the file's views and triggers may call functions that SQLite doesn't know to be safe. Before 3.41, JSON's
/// are among them. Returns SQLite's code.
int csqlite_trust_schema(void *_Nonnull connection, int is_trusted);

#endif
