#if os(Linux)
  import PlatformModules
  import TestSupport
  import TestTraits
  import Testing

  extension CommandTests {
    @Suite("A file system without locks", .tags(.heavy), .timeLimit(.minutes(5)))
    struct LocklessFolderTests {
      /// Some network file systems answer each lock with ENOLCK (fcntl(2)), as this library does in their place.
      private static let library = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdarg.h>
        #define LOCKLESS(name) \\
          int name(int descriptor, int command, ...) { \\
            va_list list; \\
            va_start(list, command); \\
            void *argument = va_arg(list, void *); \\
            va_end(list); \\
            if (command == F_SETLK || command == F_SETLKW) return errno = ENOLCK, -1; \\
            int (*own)(int, int, ...) = dlsym(RTLD_NEXT, #name); \\
            return own(descriptor, command, argument); \\
          }
        LOCKLESS(fcntl)
        LOCKLESS(fcntl64)
        """

      @Test(
        "the mirror and the outbox report a file system without locks",
        arguments: [["mirror", "list"], ["comment", "1", "-R", "a/b", "-b", "text", "--queue"]]
          .sampled(every: 2))
      func named(arguments: [String]) async throws {
        let folder = try ScratchFolder()
        try folder.write(Data(Self.library.utf8), to: "lockless.c")
        let build = try await CommandRun.run(
          "/bin/sh", ["-c", "clang -shared -fPIC -o lockless.so lockless.c -ldl"],
          workingDirectory: folder.path)
        try #require(build.status == .exited(0), "\(build.errorText)")
        let filled = try FilledMirror()
        try await filled.add("a/b", items: [.init(number: 1, title: "x")])
        let result = try await IssuesProgram.run(
          arguments,
          environment: filled.environment.merging(["LD_PRELOAD": folder["lockless.so"]]) { $1 })
        #expect(result.status == .exited(74), "\(result.errorText)")
        #expect(result.errorText.contains("its file system has no locks"), "\(result.errorText)")
      }
    }
  }
#endif
