#ifndef CTERMINAL_SHIM_H
#define CTERMINAL_SHIM_H

// The libc functions that Swift's Glibc module hides, because glibc declares them only under
// _XOPEN_SOURCE and _GNU_SOURCE, or in a header of its own. They are declared here with the signature that POSIX gives them.

#include <fcntl.h>
#include <unistd.h>
#include <wchar.h>

extern int wcwidth(wchar_t);

/// The columns of one code point: 0, 1 or 2, or -1 for what libc's locale can't print or doesn't know.
static inline int cterminal_columns(unsigned int code_point) {
  return wcwidth((wchar_t)code_point);
}

extern char **environ;

/// The entry of the environment at an index, `NAME=value`; NULL behind the last. Swift's concurrency checks
/// refuse the variable itself.
static inline const char *cterminal_environment_entry(long index) {
  return environ == NULL ? NULL : environ[index];
}

#ifdef __APPLE__
static inline int cterminal_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
}
#else
extern int pipe2(int[2], int);

/// A pipe that no child inherits by accident. Closing it on exec in a second step would race with a
/// child being started by another thread, which would then hold the pipe open.
static inline int cterminal_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
#endif

#ifdef __GLIBC__
#include <malloc.h>

/// How many bytes more than needed are taken from the system at a time.
static inline void cterminal_set_top_pad(int bytes) { (void)mallopt(M_TOP_PAD, bytes); }

/// From how many bytes on a piece of memory is the system's own, to which it goes back as soon as it is freed.
static inline void cterminal_set_mmap_threshold(int bytes) { (void)mallopt(M_MMAP_THRESHOLD, bytes); }
#else
static inline void cterminal_set_top_pad(int bytes) { (void)bytes; }
static inline void cterminal_set_mmap_threshold(int bytes) { (void)bytes; }
#endif

#endif
