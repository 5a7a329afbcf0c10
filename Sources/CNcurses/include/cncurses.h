#ifndef CNCURSES_H
#define CNCURSES_H

// A screen for a terminal, drawn by ncurses: the few things that the program asks of it, in types that Swift
// can see. ncurses itself is functions on wide characters, macros and globals, which it can't.
//
// ncurses is not thread-safe: one thread at a time calls the functions below. Only those under "Signals"
// say what they allow beside that.

#include <stdbool.h>
#include <stdint.h>

// ---- Opening and closing ----

/// Whether the standard streams are connected to a terminal that ncurses can drive.
bool cncurses_is_terminal(void);

/// Returns the name and version of ncurses, such as `ncurses 6.4.20221231`.
const char *cncurses_version(void);

/// Whether text of a locale with this name (`LC_ALL` and so on) is UTF-8, and text of the process's too.
bool cncurses_is_utf8(const char *locale);

/// What `cncurses_open` answers.
enum {
  /// The screen is shown, and empty.
  CNCURSES_OPENED,
  /// The type isn't described in terminfo.
  CNCURSES_UNKNOWN_TYPE,
  /// The type is, but it has no cursor that could be moved.
  CNCURSES_INCAPABLE_TYPE,
};

/// Opens the screen: the alternate one where there are two, without echo, each key by itself, Ctrl-C and
/// Ctrl-Z being keys like others, the mouse and bracketed paste on.
///
/// `cncurses_catch_signals` comes before it.
int cncurses_open(const char *type, bool with_colors);

/// Gives the terminal back as it was, and forgets the screen. It can be opened again.
//
// That is what is done around a stop, too. To have ncurses go on after endwin(3) would take back changes to the
// terminal's colours: those that the user has made, because here none are.
void cncurses_close(void);

/// The size of the terminal's window, as the kernel has it, or else terminfo; of a window that is larger than
/// 1000 by 500 the part at the top left.
void cncurses_window_size(int *width, int *height);

/// Makes the screen as large as the window is now; the next `cncurses_update` repaints all.
void cncurses_fit_window(void);

// ---- Drawing ----

/// How many colours there are: 0 where none are to be used, 1 << 24 where a colour's number is its RGB value.
int cncurses_colors(void);

/// How text can look.
enum {
  CNCURSES_BOLD = 1,
  CNCURSES_DIM = 2,
  CNCURSES_UNDERLINE = 4,
  CNCURSES_ITALIC = 8,
  CNCURSES_REVERSE = 16,
};

/// Makes the picture empty.
void cncurses_erase(void);

/// Goes to a place, from 0.
void cncurses_move(int column, int row);

/// Sets how what is added from now on looks: attributes, and the number of a colour or -1 for the terminal's own.
void cncurses_set_style(unsigned attributes, int foreground);

/// Adds code points where the last addition ended. None of them is a control character.
void cncurses_add(const uint32_t *code_points, int count);

/// Adds the part of a frame that has this letter in the line drawing of the VT100, or the ASCII for it.
void cncurses_add_line_drawing(char letter);

/// The columns of one code point for ncurses: 0, 1, 2, or -1 for what can't be printed.
int cncurses_columns(uint32_t code_point);

/// Writes what has changed to the terminal, and puts the cursor to a place; column -1 hides it.
void cncurses_update(int cursor_column, int cursor_row);

// ---- Keys ----

/// What `cncurses_read_key` gives beside bytes.
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
  /// A key that nothing is made of.
  CNCURSES_OTHER_KEY,
  /// The beginning of a paste. From here on the numbers are beyond those of ncurses's own keys.
  CNCURSES_PASTE_START = 0x7000,
  /// The beginning of a mouse report in xterm's SGR encoding: the rest follows in bytes.
  CNCURSES_MOUSE,
  /// The beginning of a mouse report in the encoding of X10: three bytes follow.
  CNCURSES_X10_MOUSE,
};

/// The next byte or key, or `CNCURSES_NO_KEY`. Doesn't wait, but for what follows a bare Esc: 25 ms.
int cncurses_read_key(void);

/// Whether keys are told from bytes: not so within a paste, which may hold the bytes of keys.
void cncurses_recognize_keys(bool recognizes);

/// What ends a paste.
const char *cncurses_paste_end(void);

/// Whether the terminal is gone, so that nothing can be read from it any more.
bool cncurses_is_hung_up(void);

// ---- Signals ----

/// Catches signals, until `cncurses_release_signals`.
///
/// Those that would end the process restore the terminal first and then take the course that they would have
/// taken before. `SIGWINCH`, `SIGCONT` and `SIGTSTP` are written, a byte each, into a pipe. Signals that
/// are ignored stay so. `SIGKILL` can't be caught: who kills that way has to call reset(1).
///
/// Returns the end of the pipe to read from, or -1 with `errno`.
int cncurses_catch_signals(void);

/// Puts back the handlers that were there.
void cncurses_release_signals(void);

/// The next signal that came, 0 for none.
int cncurses_next_signal(void);

/// Stops the process and its group, as Ctrl-Z does where it isn't a key; returns when it goes on. The screen is
/// closed meanwhile.
void cncurses_stop(void);

/// Whether the terminal is this process's to use: not in the background of a shell.
bool cncurses_is_foreground(void);

/// Waits, stopped, until it is.
void cncurses_await_foreground(void);

#endif
