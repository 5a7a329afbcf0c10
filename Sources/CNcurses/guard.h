#ifndef CNCURSES_GUARD_H
#define CNCURSES_GUARD_H

// The interface between screen.c, which changes the terminal, and signals.c, which restores it when the process ends.

#include <stdbool.h>
#include <stddef.h>

/// Saves what restores the terminal: its current settings, and these bytes. Call it before any change.
void guard_arm(const char *bytes, size_t length);

/// Replaces the bytes while the guard is armed.
void guard_update(const char *bytes, size_t length);

/// The terminal is restored, and needs no guard.
void guard_disarm(void);

/// Begins to write to the terminal. A signal on another thread waits for `guard_leave`, so that nothing is drawn after
/// it has restored the terminal.
///
/// Returns false if the process is ending: then don't write, and don't call `guard_leave`.
bool guard_enter(void);

/// Ends writing.
void guard_leave(void);

#endif
