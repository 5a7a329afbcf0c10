#ifndef CNCURSES_GUARD_H
#define CNCURSES_GUARD_H

// Between screen.c, which changes the terminal, and signals.c, which restores it when the process is ended.

#include <stdbool.h>
#include <stddef.h>

/// Notes what restores the terminal: its settings as they are now, and these bytes. Before it is changed.
void guard_arm(const char *bytes, size_t length);

/// Replaces the bytes, while armed.
void guard_update(const char *bytes, size_t length);

/// The terminal is restored: nothing to do any more.
void guard_disarm(void);

/// Begins to write to the terminal: a signal that comes on another thread waits for `guard_leave`, so that
/// nothing is drawn over what it restored.
///
/// False where the process is being ended: nothing may be written any more, and `guard_leave` isn't called.
bool guard_enter(void);

/// Has written.
void guard_leave(void);

#endif
