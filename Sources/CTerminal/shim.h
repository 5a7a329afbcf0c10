#ifndef CTERMINAL_SHIM_H
#define CTERMINAL_SHIM_H

// Functions that Swift's Glibc module hides. The signatures are POSIX's.

#include <fcntl.h>
#include <unistd.h>
#include <wchar.h>

extern int wcwidth(wchar_t);

/// 0, 1 or 2 columns, or -1 if libc's locale can't print or doesn't know it.
static inline int cterminal_columns(unsigned int code_point) {
  return wcwidth((wchar_t)code_point);
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

#ifdef __linux__
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/types.h>

extern int sched_getcpu(void);
extern int sched_getaffinity(pid_t, size_t, cpu_set_t *);
extern int sched_setaffinity(pid_t, size_t, const cpu_set_t *);

// The linker's names for where the zeroed variables begin and end (ld(1), "Source Code Reference").
extern char __bss_start[], _end[];

/// Gives each page of zeroed variables its memory at once. Linux before 5.14 can't, and does so page by page later.
static inline void cterminal_populate_variables(void) {
  const int populate_write = 23;  // MADV_POPULATE_WRITE of madvise(2), which older headers don't have.
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = (uintptr_t)__bss_start & -page, end = ((uintptr_t)_end + page - 1) & -page;
  (void)madvise((void *)start, end - start, populate_write);
}

/// The processors that a thread may run on. With more than 1,024 of them there are none here.
static inline cpu_set_t cterminal_processors(pid_t thread) {
  cpu_set_t processors = {0};
  if (sched_getaffinity(thread, sizeof processors, &processors) != 0) return (cpu_set_t){0};
  return processors;
}

/// The kernel refuses an empty set.
static inline void cterminal_run_on(pid_t thread, cpu_set_t processors) {
  (void)sched_setaffinity(thread, sizeof processors, &processors);
}

/// Without the processor that the caller runs on.
static inline cpu_set_t cterminal_without_this(cpu_set_t processors) {
  size_t bits = 8 * sizeof processors.__bits[0];
  int number = sched_getcpu();
  if (number >= 0 && (size_t)number < 8 * sizeof processors) {
    processors.__bits[number / bits] &= ~((__typeof__(processors.__bits[0]))1 << (number % bits));
  }
  return processors;
}
#endif

#endif
