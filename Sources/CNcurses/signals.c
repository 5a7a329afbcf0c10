// Restores the terminal when a signal ends, stops or continues the process.
//
// Handlers call only functions of signal-safety(7). They read only lock-free atomics, and data written before an atomic
// published it and unchanged as long as the atomic says so.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "cncurses.h"
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum phase {
  AT_REST,
  ARMED,
  RESTORING,
  RESTORED,
};

static _Atomic int phase = AT_REST;

static struct termios saved;

// Two, so that a handler never reads bytes that are being written. A third version can't appear while a handler reads
// the first, because `guard_enter` then fails.
static struct {
  char bytes[1024];
  size_t length;
} restoring[2];
static _Atomic int current;

static _Atomic uintptr_t writer;

static uintptr_t this_thread(void) { return (uintptr_t)pthread_self(); }

static void wait_a_moment(void) {
  struct timespec moment = {.tv_nsec = 5 * 1000 * 1000};
  nanosleep(&moment, NULL);
}

// A stuck terminal or thread delays a signal by at most half a second.
static const int patience = 100;

static void restore(void) {
  int expected = ARMED;
  if (!atomic_compare_exchange_strong(&phase, &expected, RESTORING)) {
    // Another thread restores the terminal. The process must not end before it is done.
    for (int i = 0; i < patience && atomic_load(&phase) == RESTORING; i++) wait_a_moment();
    return;
  }
  // A thread can't wait for its own interrupted drawing. The bytes begin with a control character, which ends any
  // sequence that was cut short.
  for (int i = 0; i < patience; i++) {
    uintptr_t thread = atomic_load(&writer);
    if (thread == 0 || thread == this_thread()) break;
    wait_a_moment();
  }
  int which = atomic_load(&current);
  const char *bytes = restoring[which].bytes;
  size_t rest = restoring[which].length;
  for (int i = 0; rest > 0 && i < patience;) {
    ssize_t count = write(STDOUT_FILENO, bytes, rest);
    if (count > 0) {
      bytes += count;
      rest -= (size_t)count;
    } else if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
      wait_a_moment();
      i++;
    } else {
      break;  // hung up
    }
  }
  // Handlers block all signals, even SIGTTOU, so this doesn't stop in the background.
  tcsetattr(STDIN_FILENO, TCSANOW, &saved);
  atomic_store(&phase, RESTORED);
}

static void publish(const char *bytes, size_t length) {
  int which = 1 - atomic_load(&current);
  if (length > sizeof restoring[which].bytes) length = sizeof restoring[which].bytes;
  memcpy(restoring[which].bytes, bytes, length);
  restoring[which].length = length;
  atomic_store(&current, which);
}

void guard_arm(const char *bytes, size_t length) {
  static bool is_registered = false;
  if (!is_registered) is_registered = atexit(restore) == 0;
  tcgetattr(STDIN_FILENO, &saved);
  publish(bytes, length);
  int expected = AT_REST;
  atomic_compare_exchange_strong(&phase, &expected, ARMED);
}

void guard_update(const char *bytes, size_t length) { publish(bytes, length); }

void guard_disarm(void) {
  int expected = ARMED;
  atomic_compare_exchange_strong(&phase, &expected, AT_REST);
}

// After endless recursion, a thread's own stack has no room for a handler. Several threads draw over time if workers
// serve the main queue.
static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;

static void free_stack(void *stack) {
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  free(stack);
}

static void make_stack_key(void) { pthread_key_create(&stack_key, free_stack); }

static void ensure_stack(void) {
  pthread_once(&stack_once, make_stack_key);
  if (pthread_getspecific(stack_key)) return;
  stack_t present;
  if (sigaltstack(NULL, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
  size_t size = 64 * 1024;
  void *stack = malloc(size);
  if (!stack) return;
  stack_t ours = {.ss_sp = stack, .ss_size = size};
  if (sigaltstack(&ours, NULL) == 0 && pthread_setspecific(stack_key, stack) == 0) return;
  free_stack(stack);
}

bool guard_enter(void) {
  ensure_stack();
  // A handler reads the phase and the thread in the opposite order, so one of the two sees the other.
  atomic_store(&writer, this_thread());
  if (atomic_load(&phase) < RESTORING) return true;
  atomic_store(&writer, 0);
  return false;
}

void guard_leave(void) { atomic_store(&writer, 0); }

// Caught even if others handle them.
static const int ending[] = {
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS,
};
// Caught unless somebody, such as a profiler, uses them.
static const int ending_by_default[] = {
    SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGPROF, SIGVTALRM,
};
static const int noticed[] = {SIGWINCH, SIGCONT, SIGTSTP};

#define COUNT(list) (sizeof(list) / sizeof *(list))

// Written before the handler that reads them is installed.
static struct sigaction earlier[64];
static bool is_caught[64];
static int ends[2] = {-1, -1};
static _Atomic int wake_up = -1;

static void end(int number) {
  int error = errno;
  restore();
  // The signal is blocked here and delivered on return: to the previous handler, or to end the process so that its
  // parent sees the signal.
  sigaction(number, &earlier[number], NULL);
  raise(number);
  errno = error;
}

// So that the program needn't know of its own stops.
static _Atomic int continuations;
static _Atomic bool is_stopping;

static void notice(int number) {
  if (number == SIGCONT) {
    atomic_fetch_add(&continuations, 1);
    if (atomic_load(&is_stopping)) return;
  }
  int error = errno;
  unsigned char byte = (unsigned char)number;
  // A full pipe has enough of them.
  (void)!write(atomic_load(&wake_up), &byte, 1);
  errno = error;
}

static bool has_action(int number, void (*handler)(int)) {
  return !(earlier[number].sa_flags & SA_SIGINFO) && earlier[number].sa_handler == handler;
}

static void catch_signal(int number, void (*handler)(int), int flags, bool only_default) {
  if (is_caught[number] || sigaction(number, NULL, &earlier[number]) != 0) return;
  if (has_action(number, SIG_IGN) || (only_default && !has_action(number, SIG_DFL))) return;
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigfillset(&action.sa_mask);
  is_caught[number] = sigaction(number, &action, NULL) == 0;
}

static int make_pipe(void) {
#ifdef __APPLE__
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
  return 0;
#else
  return pipe2(ends, O_CLOEXEC | O_NONBLOCK);
#endif
}

int cncurses_catch_signals(void) {
  // Never closed: a handler on another thread may have read its number.
  if (ends[0] < 0 && make_pipe() != 0) return -1;
  atomic_store(&wake_up, ends[1]);
  for (size_t i = 0; i < COUNT(ending); i++) catch_signal(ending[i], end, SA_ONSTACK, false);
  for (size_t i = 0; i < COUNT(ending_by_default); i++) {
    catch_signal(ending_by_default[i], end, SA_ONSTACK, true);
  }
  for (size_t i = 0; i < COUNT(noticed); i++) {
    catch_signal(noticed[i], notice, SA_ONSTACK | SA_RESTART, false);
  }
  return ends[0];
}

void cncurses_release_signals(void) {
  for (int number = 1; number < 64; number++) {
    if (!is_caught[number]) continue;
    sigaction(number, &earlier[number], NULL);
    is_caught[number] = false;
  }
  while (cncurses_next_signal() != 0) {}
}

int cncurses_next_signal(void) {
  unsigned char byte = 0;
  return ends[0] >= 0 && read(ends[0], &byte, 1) == 1 ? byte : 0;
}

void cncurses_stop(void) {
  // Nobody could continue the process.
  if (has_action(SIGTSTP, SIG_IGN) || getsid(getppid()) != getsid(0)) return;
  struct sigaction stop = {.sa_handler = SIG_DFL}, before;
  sigemptyset(&stop.sa_mask);
  int count = atomic_load(&continuations);
  atomic_store(&is_stopping, true);
  sigaction(SIGTSTP, &stop, &before);
  kill(0, SIGTSTP);
  // Another thread may take the signal while this one runs on. In an orphaned group the kernel drops the signal.
  for (int i = 0; i < patience && atomic_load(&continuations) == count; i++) wait_a_moment();
  sigaction(SIGTSTP, &before, NULL);
  atomic_store(&is_stopping, false);
}

static const int keyboard_signals[] = {SIGINT, SIGQUIT};

// Not SIG_IGN, which a program started meanwhile would inherit.
static void disregard(int number) { (void)number; }

void cncurses_lend_signals(void) {
  cncurses_release_signals();
  for (size_t i = 0; i < COUNT(keyboard_signals); i++) {
    catch_signal(keyboard_signals[i], disregard, SA_RESTART, false);
  }
}

void cncurses_reclaim_terminal(void) {
  for (size_t i = 0; i < COUNT(keyboard_signals); i++) {
    int number = keyboard_signals[i];
    if (!is_caught[number]) continue;
    is_caught[number] = false;
    struct sigaction present, ignoring = {.sa_handler = SIG_IGN};
    if (sigaction(number, NULL, &present) != 0) continue;
    // Drops a signal that ended the other program and is still pending here.
    sigaction(number, &ignoring, NULL);
    // The borrower's own handlers stay.
    bool is_ours = present.sa_handler == disregard;
    sigaction(number, is_ours ? &earlier[number] : &present, NULL);
  }
  cncurses_catch_signals();
  cncurses_await_foreground();
  tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
}

bool cncurses_is_foreground(void) { return tcgetpgrp(STDIN_FILENO) == getpgrp(); }

void cncurses_await_foreground(void) {
  // The kernel stops a background process that sets the terminal's settings, even to the same ones. It doesn't if the
  // thread blocks SIGTTOU, as libdispatch's workers do.
  sigset_t stop, before;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTTOU);
  pthread_sigmask(SIG_UNBLOCK, &stop, &before);
  struct termios settings;
  while (!cncurses_is_foreground() && tcgetattr(STDIN_FILENO, &settings) == 0) {
    if (tcsetattr(STDIN_FILENO, TCSANOW, &settings) != 0 && errno != EINTR) break;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
