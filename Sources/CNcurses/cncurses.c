#include "cncurses.h"

#include <unistd.h>

int cncurses_is_terminal(void) { return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO); }
