
// For wcwidth(3).
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#define NCURSES_WIDECHAR 1
#ifdef __APPLE__
#define _XOPEN_SOURCE_EXTENDED 1
#include <curses.h>
#include <term.h>
#else
#include <ncursesw/curses.h>
#include <ncursesw/term.h>
#endif

#include "cncurses.h"
#include "guard.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

_Static_assert(sizeof(wchar_t) == sizeof(uint32_t), "a wide character is a code point");

static SCREEN *screen;

// A pad: reading through a window would first show its drawing.
static WINDOW *keys;

enum { MOUSE_ON, MOUSE_OFF, PASTE_ON, PASTE_OFF, PASTE_START, PASTE_END, SEQUENCE_COUNT };
static char sequences[SEQUENCE_COUNT][64];

// From xterm's "Control Sequences": SGR mouse reports (1006) of presses and releases (1000), bracketed paste (2004).
// Terminals that claim to be like xterm know or ignore them.
static const char *const xterm_sequences[SEQUENCE_COUNT] = {
    "\033[?1006;1000h", "\033[?1006;1000l", "\033[?2004h", "\033[?2004l", "\033[200~", "\033[201~",
};

// Outside application mode. Some terminals always send them.
static const struct {
  const char *sequence;
  int key;
} xterm_keys[] = {
    {"\033[A", KEY_UP},    {"\033[B", KEY_DOWN},   {"\033[C", KEY_RIGHT},  {"\033[D", KEY_LEFT},
    {"\033OA", KEY_UP},    {"\033OB", KEY_DOWN},   {"\033OC", KEY_RIGHT},  {"\033OD", KEY_LEFT},
    {"\033[H", KEY_HOME},  {"\033[F", KEY_END},    {"\033OH", KEY_HOME},   {"\033OF", KEY_END},
    {"\033[1~", KEY_HOME}, {"\033[4~", KEY_END},   {"\033[7~", KEY_HOME},  {"\033[8~", KEY_END},
    {"\033[3~", KEY_DC},   {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE}, {"\033[Z", KEY_BTAB},
    {"\033OM", KEY_ENTER},
};

static const char *capability(const char *name) {
  const char *value = tigetstr(name);
  return value == (const char *)-1 ? NULL : value;
}

static bool is_like_xterm(void) {
  const char *mouse = capability("kmous");
  return mouse && (strcmp(mouse, "\033[M") == 0 || strcmp(mouse, "\033[<") == 0);
}

static void note(int which, const char *value) {
  if (!value && is_like_xterm()) value = xterm_sequences[which];
  snprintf(sequences[which], sizeof sequences[which], "%s", value ? value : "");
}

static void find_sequences(void) {
  // Extended capabilities: user_caps(5).
  const char *mouse = capability("XM");
  if (mouse && !strstr(mouse, "1006")) mouse = NULL;
  note(MOUSE_ON, mouse ? tiparm(mouse, 1) : NULL);
  note(MOUSE_OFF, mouse ? tiparm(mouse, 0) : NULL);
  const char *names[] = {"BE", "BD", "PS", "PE"};
  bool has_all = true;
  for (int i = 0; i < 4; i++) has_all = has_all && capability(names[i]);
  for (int i = 0; i < 4; i++) note(PASTE_ON + i, has_all ? capability(names[i]) : NULL);
}

static bool has_links;
static const char link_end[] = "\033]8;;\033\\";

static bool has_images;
// Deletes all images. It begins with the end of an image's bytes, which would swallow all that follows, and aborts the
// rest of them: https://sw.kovidgoyal.net/kitty/graphics-protocol/#deleting-images
static const char images_end[] = "\033\\\033_Ga=d,d=A,q=2\033\\";

static struct {
  char bytes[1024];
  size_t length;
} restoring;

static int append(int byte) {
  if (restoring.length < sizeof restoring.bytes) restoring.bytes[restoring.length++] = (char)byte;
  return byte;
}

static void append_string(const char *string) {
  if (string && *string) tputs(string, 1, append);
}

/// Makes the bytes that undo all changes, for when endwin(3) can't be called.
static void prepare_restoring(int height) {
  restoring.length = 0;
  if (has_images) append_string(images_end);
  append_string(sequences[PASTE_OFF]);
  append_string(sequences[MOUSE_OFF]);
  if (has_links) append_string(link_end);
  const char *names[] = {"rmacs", "sgr0", "op", "rmkx", "cnorm"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) append_string(capability(names[i]));
  // Without an alternate screen, later output goes below the picture.
  append_string(tiparm(capability("cup"), height - 1, 0));
  append_string(capability("rmcup"));
}

bool cncurses_is_terminal(void) { return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO); }

const char *cncurses_version(void) { return curses_version(); }

/// Whether a name such as `de_DE.UTF-8` or `de_DE.utf8@euro` ends in UTF-8.
static bool names_utf8(const char *name) {
  const char *dot = strchr(name, '.');
  if (!dot) return false;
  size_t length = strcspn(dot + 1, "@");
  return (length == 5 && strncasecmp(dot + 1, "UTF-8", 5) == 0) ||
         (length == 4 && strncasecmp(dot + 1, "UTF8", 4) == 0);
}

bool cncurses_is_utf8(const char *name) {
  if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) return false;
  locale_t locale = newlocale(LC_CTYPE_MASK, name, (locale_t)0);
  // Not generated here, as when ssh(1) brings along the LANG of another system. The terminal still has its encoding.
  if (!locale) return names_utf8(name);
  bool is_utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
  freelocale(locale);
  return is_utf8;
}

// Larger than any desk's windows. Any program can set a size such as 65535, which is beyond ncurses and memory.
static const int greatest_width = 1000, greatest_height = 500;

static int at_most(int limit, int value) { return value < limit ? value : limit; }

void cncurses_window_size(int *width, int *height) {
  struct winsize size = {0};
  bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  int terminfo_width = tigetnum("cols"), terminfo_height = tigetnum("lines");
  int known_width = is_known && size.ws_col > 0 ? size.ws_col : terminfo_width;
  int known_height = is_known && size.ws_row > 0 ? size.ws_row : terminfo_height;
  *width = known_width > 0 ? at_most(greatest_width, known_width) : 80;
  *height = known_height > 0 ? at_most(greatest_height, known_height) : 24;
}

/// Whether newterm(3) has to ask the kernel for the size, because the entry has none, as that of the Linux console.
static bool needs_kernel_size(void) {
  if (tigetnum("cols") > 0 && tigetnum("lines") > 0) return false;
  struct winsize size = {0};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
         (size.ws_col <= greatest_width && size.ws_row <= greatest_height);
}

static void fit_window(void) {
  int width = 0, height = 0;
  cncurses_window_size(&width, &height);
  resize_term(height, width);
  clearok(curscr, TRUE);
  prepare_restoring(height);
  guard_update(restoring.bytes, restoring.length);
}

static void define_keys(void) {
  // Only now ncurses reads terminfo's keys, which would replace those below.
  keypad(keys, TRUE);
  if (*sequences[PASTE_START]) define_key(sequences[PASTE_START], CNCURSES_PASTE_START);
  // ncurses's own reading of the mouse waits in wgetch until a held button is released, even with nodelay(3).
  keyok(KEY_MOUSE, FALSE);
  if (!is_like_xterm()) return;
  define_key("\033[<", CNCURSES_MOUSE);
  define_key("\033[M", CNCURSES_X10_MOUSE);
  for (size_t i = 0; i < sizeof xterm_keys / sizeof *xterm_keys; i++) {
    if (key_defined(xterm_keys[i].sequence) == 0) {
      define_key(xterm_keys[i].sequence, xterm_keys[i].key);
    }
  }
}

// putp(3) writes through stdio, not through ncurses's buffer, which is empty after doupdate(3) and endwin(3).

static void take_modes(void) {
  putp(sequences[MOUSE_ON]);
  putp(sequences[PASTE_ON]);
  fflush(stdout);
}

static void leave_modes(void) {
  if (has_images) putp(images_end);
  putp(sequences[PASTE_OFF]);
  putp(sequences[MOUSE_OFF]);
  fflush(stdout);
}

int cncurses_open(const char *type, bool with_colors, bool with_links) {
  has_links = with_links;
  has_images = false;
  // Otherwise ncurses takes LINES and COLUMNS, which don't follow the window, or a size beyond its range.
  use_env(FALSE);
  use_tioctl(FALSE);
  int error = 0;
  if (setupterm(type, STDOUT_FILENO, &error) != OK) {
    // 1: a terminal that prints on paper.
    return error == 1 ? CNCURSES_INCAPABLE_TYPE : CNCURSES_UNKNOWN_TYPE;
  }
  TERMINAL *description = cur_term;
  const char *place = capability("cup");
  // A broken description may format numbers as strings (terminfo(5)).
  if (!place || strstr(place, "%s") || strstr(place, "%l") || !capability("clear")) {
    del_curterm(description);
    return CNCURSES_INCAPABLE_TYPE;
  }
  find_sequences();
  int width = 0, height = 0;
  cncurses_window_size(&width, &height);
  prepare_restoring(height);

  cncurses_await_foreground();
  guard_arm(restoring.bytes, restoring.length);
  // The process is ending, so the result doesn't matter.
  if (!guard_enter()) return CNCURSES_INCAPABLE_TYPE;
  use_tioctl(needs_kernel_size());
  screen = newterm(type, stdout, stdin);
  del_curterm(description);
  if (!screen) {
    guard_leave();
    guard_disarm();
    return CNCURSES_INCAPABLE_TYPE;
  }
  keys = newpad(1, 1);
  raw();
  noecho();
  nonl();
  nodelay(keys, TRUE);
  intrflush(keys, FALSE);
  // Otherwise a key press interrupts an update.
  typeahead(-1);
  // In milliseconds: the time for a key's bytes, too short to notice after Esc. ESCDELAY sets another (ncurses(3)).
  if (!getenv("ESCDELAY")) set_escdelay(25);
  // ncurses makes a table of all colors. More than 24 bits mean a broken description.
  bool are_sane = tigetnum("colors") <= 1 << 24;
  if (with_colors && are_sane && has_colors() && start_color() == OK) use_default_colors();
  define_keys();
  fit_window();
  curs_set(0);
  wnoutrefresh(stdscr);
  doupdate();
  take_modes();
  guard_leave();
  return CNCURSES_OPENED;
}

void cncurses_close(void) {
  if (!guard_enter()) return;
  leave_modes();
  endwin();
  delwin(keys);
  delscreen(screen);
  screen = NULL;
  guard_leave();
  guard_disarm();
}

void cncurses_fit_window(void) {
  if (!guard_enter()) return;
  fit_window();
  guard_leave();
}

int cncurses_colors(void) { return screen && COLOR_PAIRS > 1 ? COLORS : 0; }

void cncurses_erase(void) { werase(stdscr); }

void cncurses_move(int column, int row) { wmove(stdscr, row, column); }

// Before 2017-04-01, ncurses kept the numbers of pairs and colors in shorts.
#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS >= 20170401
static const int greatest_number = 0x7FFFFFFF;
#else
static const int greatest_number = 0x7FFF;
static int init_extended_pair(int pair, int foreground, int background) {
  return init_pair((short)pair, (short)foreground, (short)background);
}
#endif

int cncurses_pairs(void) {
  if (cncurses_colors() == 0) return 0;
  return at_most(greatest_number, COLOR_PAIRS) - 1;
}

void cncurses_define_pair(int pair, int foreground, int background) {
  init_extended_pair(pair, foreground, background);
}

void cncurses_set_style(unsigned attributes, int pair) {
  attr_t shown = A_NORMAL;
  if (attributes & CNCURSES_BOLD) shown |= A_BOLD;
  if (attributes & CNCURSES_DIM) shown |= A_DIM;
  if (attributes & CNCURSES_UNDERLINE) shown |= A_UNDERLINE;
  if (attributes & CNCURSES_REVERSE) shown |= A_REVERSE;
#ifdef A_ITALIC
  if (attributes & CNCURSES_ITALIC) shown |= A_ITALIC;
#endif
  // The last argument passes pairs beyond a short.
  wattr_set(stdscr, shown, (short)pair, &pair);
}

void cncurses_add(const uint32_t *code_points, int count) {
  waddnwstr(stdscr, (const wchar_t *)code_points, count);
}

void cncurses_add_line_drawing(char letter) { waddch(stdscr, NCURSES_ACS(letter)); }

int cncurses_columns(uint32_t code_point) { return wcwidth((wchar_t)code_point); }

void cncurses_update(int cursor_column, int cursor_row) {
  if (!guard_enter()) return;
  curs_set(cursor_column >= 0 ? 1 : 0);
  leaveok(stdscr, cursor_column < 0);
  if (cursor_column >= 0) wmove(stdscr, cursor_row, cursor_column);
  wnoutrefresh(stdscr);
  doupdate();
  guard_leave();
}

bool cncurses_can_rewrite(void) { return capability("sc") && capability("rc"); }

bool cncurses_can_strike(void) { return capability("smxx") && capability("rmxx"); }

static int put(int byte) { return putc(byte, stdout); }

static void put_string(const char *string) { tputs(string, 1, put); }

static void put_code_point(uint32_t code_point) {
  char bytes[MB_LEN_MAX];
  mbstate_t state = {0};
  size_t count = wcrtomb(bytes, (wchar_t)code_point, &state);
  if (count != (size_t)-1) fwrite(bytes, 1, count, stdout);
}

bool cncurses_begin_rewriting(void) { return guard_enter(); }

void cncurses_end_rewriting(void) {
  fflush(stdout);
  guard_leave();
}

void cncurses_rewrite(
    int column, int row, int width, const char *url, bool is_struck, const uint32_t *code_points, int count) {
  int end = at_most(COLS, column + width);
  if (row >= LINES || column >= end) return;
  put_string(capability("sc"));
  put_string(tiparm(capability("cup"), row, column));
  if (url) fprintf(stdout, "\033]8;;%s\033\\", url);
  attr_t last_attributes = 0;
  int last_pair = -1;
  for (int place = column; place < end;) {
    cchar_t cell;
    wchar_t text[CCHARW_MAX + 1];
    attr_t attributes = 0;
    short short_pair = 0;
    int pair = 0;
    if (mvwin_wch(stdscr, row, place, &cell) != OK) break;
#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS >= 20170401
    if (getcchar(&cell, text, &attributes, &short_pair, &pair) != OK) break;
#else
    if (getcchar(&cell, text, &attributes, &short_pair, NULL) != OK) break;
    pair = short_pair;
#endif
    if (place == column || attributes != last_attributes || pair != last_pair) {
      // ncurses knows of these, but not of struck text, which they may end.
      vid_puts(attributes, (short)pair, &pair, put);
      if (is_struck) put_string(capability("smxx"));
      last_attributes = attributes;
      last_pair = pair;
    }
    if (count > 0) {
      for (int i = 0; i < count; i++) put_code_point(code_points[i]);
      break;
    }
    for (int i = 0; i < CCHARW_MAX && text[i]; i++) put_code_point((uint32_t)text[i]);
    int own = wcwidth(text[0]);
    place += own > 1 ? own : 1;
  }
  if (is_struck) put_string(capability("rmxx"));
  if (url) fputs(link_end, stdout);
  vid_puts(A_NORMAL, 0, NULL, put);
  put_string(capability("rc"));
}

void cncurses_write(const uint8_t *bytes, size_t count) {
  if (!guard_enter()) return;
  fwrite(bytes, 1, count, stdout);
  fflush(stdout);
  guard_leave();
}

void cncurses_begin_images(void) {
  if (!guard_enter()) return;
  has_images = true;
  prepare_restoring(LINES);
  guard_update(restoring.bytes, restoring.length);
  guard_leave();
}

void cncurses_write_at(int column, int row, const uint8_t *bytes, size_t count) {
  if (!guard_enter()) return;
  put_string(capability("sc"));
  put_string(tiparm(capability("cup"), row, column));
  fwrite(bytes, 1, count, stdout);
  put_string(capability("rc"));
  fflush(stdout);
  guard_leave();
}

void cncurses_cell_size(int *width, int *height) {
  struct winsize size = {0};
  bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
  *width = is_known ? size.ws_xpixel / size.ws_col : 0;
  *height = is_known ? size.ws_ypixel / size.ws_row : 0;
}

int cncurses_read_key(void) {
  int key = wgetch(keys);
  if (key == ERR) return CNCURSES_NO_KEY;
  if (key < 256 || (key >= CNCURSES_PASTE_START && key <= CNCURSES_X10_MOUSE)) return key;
  switch (key) {
    case KEY_UP: return CNCURSES_KEY_UP;
    case KEY_DOWN: return CNCURSES_KEY_DOWN;
    case KEY_LEFT: return CNCURSES_KEY_LEFT;
    case KEY_RIGHT: return CNCURSES_KEY_RIGHT;
    case KEY_HOME:
    case KEY_FIND: return CNCURSES_KEY_HOME;
    case KEY_END:
    case KEY_SELECT: return CNCURSES_KEY_END;
    case KEY_PPAGE: return CNCURSES_KEY_PAGE_UP;
    case KEY_NPAGE: return CNCURSES_KEY_PAGE_DOWN;
    case KEY_BTAB: return CNCURSES_KEY_BACK_TAB;
    case KEY_BACKSPACE: return CNCURSES_KEY_BACKSPACE;
    case KEY_DC: return CNCURSES_KEY_DELETE;
    case KEY_ENTER: return CNCURSES_KEY_ENTER;
    case KEY_F(1):
    case KEY_HELP: return CNCURSES_KEY_HELP;
    default: return CNCURSES_OTHER_KEY;
  }
}

void cncurses_recognize_keys(bool recognizes) {
  if (!guard_enter()) return;
  keypad(keys, recognizes);
  guard_leave();
}

bool cncurses_ask(bool for_background, bool for_images) {
  if (!is_like_xterm() || !cncurses_can_rewrite() || !guard_enter()) return false;
  putp(capability("sc"));
  // rxvt-unicode ends its answer in a lone Esc unless the question ends in BEL.
  if (for_background) putp("\033]11;?\a");
  // https://sw.kovidgoyal.net/kitty/graphics-protocol/#querying-support-and-available-transmission-mediums
  if (for_images) putp("\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\");
  // Some terminals print the p: https://github.com/bikeshaving/termdom/pull/41,
  // https://github.com/lxqt/qtermwidget/pull/628. The screen is still empty, so it can be erased.
  putp("\033[?2027$p");
  putp(capability("rc"));
  putp("\033[K");
  putp("\033[c");
  fflush(stdout);
  guard_leave();
  return true;
}

bool cncurses_await_input(int milliseconds) {
  struct pollfd query = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&query, 1, milliseconds) > 0;
}

const char *cncurses_paste_end(void) { return sequences[PASTE_END]; }

bool cncurses_is_hung_up(void) {
  struct pollfd query = {.fd = STDIN_FILENO, .events = POLLIN};
  if (poll(&query, 1, 0) <= 0) return false;
  if (query.revents & (POLLHUP | POLLERR | POLLNVAL)) return true;
  int count = 0;
  // Readable without bytes: the end.
  return (query.revents & POLLIN) && ioctl(STDIN_FILENO, FIONREAD, &count) == 0 && count == 0;
}
