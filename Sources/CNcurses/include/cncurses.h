#ifndef CNCURSES_H
#define CNCURSES_H

// The functions of ncurses that the program uses, in types that Swift sees. Swift can't see ncurses itself, which
// is functions on wide characters, macros and globals.
//
// ncurses is not thread-safe: one thread at a time calls the functions below. Those under "Signals" may say more.

#include <stdbool.h>
#include <stdint.h>

// ---- Opening and closing ----

/// Whether the standard streams are connected to a terminal that ncurses can drive.
bool cncurses_is_terminal(void);

/// Returns the name and version of ncurses, such as `ncurses 6.4.20221231`.
const char *cncurses_version(void);

/// Whether the locale with this name (from `LC_ALL` and so on) uses UTF-8, and the process's locale too.
bool cncurses_is_utf8(const char *locale);

/// The result of `cncurses_open`.
enum {
  /// The screen is open, and empty.
  CNCURSES_OPENED,
  /// Terminfo doesn't describe the type.
  CNCURSES_UNKNOWN_TYPE,
  /// The type has no movable cursor.
  CNCURSES_INCAPABLE_TYPE,
};

/// Opens the screen, on the alternate one if the terminal has two. Keys aren't echoed and come one by one, Ctrl-C and
/// Ctrl-Z too, and mouse reports and bracketed paste are on.
///
/// Call `cncurses_catch_signals` first.
int cncurses_open(const char *type, bool with_colors);

/// Restores the terminal, and forgets the screen. It can be opened again.
//
// A stop closes the screen too. If ncurses went on after endwin(3), it would reset the terminal's colours, which only
// the user may have changed.
void cncurses_close(void);

/// The size of the terminal's window by the kernel, or else by terminfo, but at most 1000 by 500.
void cncurses_window_size(int *width, int *height);

/// Makes the screen as large as the window. The next `cncurses_update` repaints everything.
void cncurses_fit_window(void);

// ---- Drawing ----

/// The number of colours: 0 for none, 1 << 24 if a colour's number is its RGB value.
int cncurses_colors(void);

/// Attributes of text.
enum {
  CNCURSES_BOLD = 1,
  CNCURSES_DIM = 2,
  CNCURSES_UNDERLINE = 4,
  CNCURSES_ITALIC = 8,
  CNCURSES_REVERSE = 16,
};

/// Clears the picture.
void cncurses_erase(void);

/// Moves to a position, from 0.
void cncurses_move(int column, int row);

/// Sets the style of further additions: attributes, and the number of a colour or -1 for the terminal's own.
void cncurses_set_style(unsigned attributes, int foreground);

/// Adds code points after the last addition. They contain no control characters.
void cncurses_add(const uint32_t *code_points, int count);

/// Adds the part of a frame with this letter in the line drawing of the VT100, or its ASCII form.
void cncurses_add_line_drawing(char letter);

/// The width of a code point for ncurses: 0, 1 or 2 columns, or -1 if it can't be printed.
int cncurses_columns(uint32_t code_point);

/// Writes the changes to the terminal, and moves the cursor. Column -1 hides it.
void cncurses_update(int cursor_column, int cursor_row);

// ---- Keys ----

/// The results of `cncurses_read_key` apart from bytes.
enum {
  CNCURSES_NO_KEY = -1,
  CNCURSES_KEY_UP = 256,
  CNCURSES_KEY_DOWN,
  CNCURSES_KEY_LEFT,
  CNCURSES_KEY_RIGHT,
  CNCURSES_KEY_HOME,
  CNCURSES_KEY_END,
  CNCURSES_KEY_PAGE_UP,
  CNCURSES_KEY_PAGE_DOWN,
  CNCURSES_KEY_BACK_TAB,
  CNCURSES_KEY_BACKSPACE,
  CNCURSES_KEY_DELETE,
  CNCURSES_KEY_ENTER,
  /// A key without a use here.
  CNCURSES_OTHER_KEY,
  /// The beginning of a paste. From here on the numbers are above those of ncurses's own keys.
  CNCURSES_PASTE_START = 0x7000,
  /// The beginning of a mouse report in xterm's SGR encoding: the rest follows in bytes.
  CNCURSES_MOUSE,
  /// The beginning of a mouse report in the encoding of X10: three bytes follow.
  CNCURSES_X10_MOUSE,
};

/// The next byte or key, or `CNCURSES_NO_KEY`. Waits only after an Esc, 25 ms for the rest of a key.
int cncurses_read_key(void);

/// Sets whether keys are recognised. Within a paste they aren't, since it may contain the bytes of keys.
void cncurses_recognize_keys(bool recognizes);

/// The mark at the end of a paste.
const char *cncurses_paste_end(void);

/// Whether the terminal is gone, so that reading from it fails.
bool cncurses_is_hung_up(void);

// ---- Signals ----

/// Catches signals, until `cncurses_release_signals`.
///
/// Signals that end the process restore the terminal first, and then act as they would have acted without these
/// handlers. `SIGWINCH`, `SIGCONT` and `SIGTSTP` are written into a pipe, a byte each. Ignored signals stay ignored.
/// `SIGKILL` can't be caught: after it the user has to run reset(1).
///
/// Returns the end of the pipe to read from, or -1 with `errno`.
int cncurses_catch_signals(void);

/// Restores the previous handlers.
void cncurses_release_signals(void);

/// The next caught signal, 0 for none.
int cncurses_next_signal(void);

/// Stops the process and its group, as Ctrl-Z usually does. Returns when the process continues. The screen is closed
/// meanwhile.
void cncurses_stop(void);

/// Whether the process may use the terminal: it isn't in the background of a shell.
bool cncurses_is_foreground(void);

/// Waits in the background until it may.
void cncurses_await_foreground(void);

#endif
