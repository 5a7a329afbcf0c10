#ifndef CNCURSES_H
#define CNCURSES_H

// ncurses for Swift, which can't see its wide characters, macros and globals. ncurses isn't thread-safe: one thread at
// a time calls these functions, unless those under "Signals" say more.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool cncurses_is_terminal(void);

const char *cncurses_version(void);

/// Whether both the named locale (`LC_ALL` and so on) and the process's use UTF-8. A named locale that isn't generated
/// counts by its name.
bool cncurses_is_utf8(const char *locale);

enum {
  CNCURSES_OPENED,
  CNCURSES_UNKNOWN_TYPE,
  CNCURSES_INCAPABLE_TYPE,
};

/// Opens the screen, on the alternate one if there is one. Keys come one by one without an echo, even Ctrl-C and
/// Ctrl-Z. Mouse reports and bracketed paste are on. With hyperlinks, restoring ends an open one. Call
/// `cncurses_catch_signals` first.
int cncurses_open(const char *type, bool with_colors, bool with_links);

// Closes the screen, also before a stop: after endwin(3) ncurses would reset the terminal's colors when it goes on.
void cncurses_close(void);

/// By the kernel, or else by terminfo, but at most 1000 by 500.
void cncurses_window_size(int *width, int *height);

/// Fits the screen to the window. The next update repaints everything.
void cncurses_fit_window(void);

/// 0 for none, 1 << 24 if a color's number is its RGB value.
int cncurses_colors(void);

enum {
  CNCURSES_BOLD = 1,
  CNCURSES_DIM = 2,
  CNCURSES_UNDERLINE = 4,
  CNCURSES_ITALIC = 8,
  CNCURSES_REVERSE = 16,
};

void cncurses_erase(void);

void cncurses_move(int column, int row);

/// How many pairs of colors can be defined, from 1 on. Pair 0 is the terminal's own colors.
int cncurses_pairs(void);

/// Colors are numbers, or -1 for the terminal's own. What has been drawn with the pair changes too.
void cncurses_define_pair(int pair, int foreground, int background);

void cncurses_set_style(unsigned attributes, int pair);

/// Must not contain control characters.
void cncurses_add(const uint32_t *code_points, int count);

void cncurses_add_line_drawing(char letter);

/// 0, 1 or 2 columns as ncurses sees it, or -1 if it can't be printed.
int cncurses_columns(uint32_t code_point);

/// Column -1 hides the cursor.
void cncurses_update(int cursor_column, int cursor_row);

// ---- What ncurses can't draw ----

/// Whether text can be written past ncurses, which needs the cursor where it was.
bool cncurses_can_rewrite(void);

/// Whether the terminal has struck text (user_caps(5), smxx).
bool cncurses_can_strike(void);

/// Between an update and the next one. Returns false if the process is ending: then neither rewrite nor end.
bool cncurses_begin_rewriting(void);

/// Writes cells that the last update has drawn once more, struck, as a hyperlink, or both; or other code points, as wide
/// as the cells, in the first one's style. A later update of the cells replaces all of that.
void cncurses_rewrite(
    int column, int row, int width, const char *url, bool is_struck, const uint32_t *code_points, int count);

void cncurses_end_rewriting(void);

/// Writes bytes past ncurses. They must not change the picture.
void cncurses_write(const uint8_t *bytes, size_t count);

/// Does so with the cursor at a place.
void cncurses_write_at(int column, int row, const uint8_t *bytes, size_t count);

/// From now on, closing and restoring delete images.
void cncurses_begin_images(void);

/// In pixels, 0 if the kernel doesn't know.
void cncurses_cell_size(int *width, int *height);

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
  CNCURSES_KEY_HELP,
  CNCURSES_OTHER_KEY,
  /// From here on, numbers are above those of ncurses's own keys.
  CNCURSES_PASTE_START = 0x7000,
  /// xterm's SGR encoding: the rest of the report follows in bytes.
  CNCURSES_MOUSE,
  /// X10's encoding: three bytes follow.
  CNCURSES_X10_MOUSE,
};

/// Waits only after an Esc, 25 ms for the rest of a key.
int cncurses_read_key(void);

/// Off within a paste, which may contain the bytes of keys.
void cncurses_recognize_keys(bool recognizes);

const char *cncurses_paste_end(void);

/// Asks a terminal like xterm for its background (OSC 11) and whether it shows images (kitty's graphics protocol) if
/// wanted, whether it keeps clusters of code points together (DECRQM of mode 2027), and then for its attributes (DA1).
/// Returns false if it isn't one. Call it right after `cncurses_open`.
bool cncurses_ask(bool for_background, bool for_images);

/// Returns whether there is input within the time.
bool cncurses_await_input(int milliseconds);

bool cncurses_is_hung_up(void);

// ---- Signals ----

/// Catches signals, and returns the pipe to read from, or -1 with `errno`.
///
/// Signals that end the process restore the terminal first, and then act as they would have without these handlers.
/// `SIGWINCH`, `SIGCONT` and `SIGTSTP` go into the pipe, a byte each. Ignored signals stay ignored. After `SIGKILL`,
/// which can't be caught, the user has to run reset(1).
int cncurses_catch_signals(void);

void cncurses_release_signals(void);

int cncurses_next_signal(void);

/// Stops the process and its group, as Ctrl-Z usually does, until it is continued. Close the screen first.
void cncurses_stop(void);

/// Releases the signals for as long as another program has the terminal, but ignores Ctrl-C and Ctrl-\, as system(3)
/// does. That program gets their default actions. Close the screen first.
void cncurses_lend_signals(void);

/// Catches the signals again, in the foreground, and restores the settings that the terminal had before the screen was
/// opened.
void cncurses_reclaim_terminal(void);

bool cncurses_is_foreground(void);

void cncurses_await_foreground(void);

#endif
