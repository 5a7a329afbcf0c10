#ifndef CTERMINAL_SHIM_H
#define CTERMINAL_SHIM_H

// Functions that Swift's Glibc module hides. The signatures are POSIX's.

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>
#include <wchar.h>

extern int wcwidth(wchar_t);

/// 0, 1 or 2 columns, or -1 if libc's locale can't print or doesn't know it.
static inline int cterminal_columns(unsigned int code_point) {
  return wcwidth((wchar_t)code_point);
}

extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);

/// The child starts in this folder.
static inline void cterminal_spawn_in(posix_spawn_file_actions_t *actions, const char *folder) {
  (void)posix_spawn_file_actions_addchdir_np(actions, folder);
}

extern char **environ;

/// `NAME=value`, or NULL after the last. Swift's concurrency checks refuse the variable itself.
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

/// Closing on exec in a second step would race with a child that another thread starts.
static inline int cterminal_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
#endif

#ifdef __GLIBC__
#include <malloc.h>

/// How many spare bytes malloc takes from the system at a time.
static inline void cterminal_set_top_pad(int bytes) { (void)mallopt(M_TOP_PAD, bytes); }

/// From how many bytes on malloc maps memory, which goes back to the system when freed.
static inline void cterminal_set_mmap_threshold(int bytes) { (void)mallopt(M_MMAP_THRESHOLD, bytes); }
#else
static inline void cterminal_set_top_pad(int bytes) { (void)bytes; }
static inline void cterminal_set_mmap_threshold(int bytes) { (void)bytes; }
#endif

#endif
