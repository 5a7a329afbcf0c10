#ifndef CNCURSES_H
#define CNCURSES_H

// What Swift can't call of ncurses itself: its functions on wide characters, its macros and its globals.

/// Whether the standard streams are connected to a terminal that ncurses can drive.
int cncurses_is_terminal(void);

#endif
