#ifndef CNCURSES_GUARD_H
#define CNCURSES_GUARD_H

// Between screen.c, which changes the terminal, and signals.c, which restores it when the process ends.

#include <stdbool.h>
#include <stddef.h>

/// Saves the terminal's settings and the bytes that restore it. Call it before any change.
void guard_arm(const char *bytes, size_t length);

void guard_update(const char *bytes, size_t length);

void guard_disarm(void);

/// Begins to write to the terminal. A signal on another thread waits for `guard_leave`, so that nothing is drawn after
/// it has restored the terminal. Returns false if the process is ending: then neither write nor leave.
bool guard_enter(void);

void guard_leave(void);

#endif
