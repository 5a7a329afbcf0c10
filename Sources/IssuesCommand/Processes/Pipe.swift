import CTerminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The two ends of a pipe; no child gets either unless it is handed one.
struct Pipe: Sendable {
  /// Where bytes come out.
  let readingEnd: CInt

  /// Where bytes go in.
  let writingEnd: CInt

  /// Makes a pipe; `nil`, with the reason in `errno`, where the process has too many files open.
  init?() {
    var ends: [CInt] = [-1, -1]
    guard cterminal_pipe(&ends) == 0 else { return nil }
    readingEnd = ends[0]
    writingEnd = ends[1]
  }

  /// Closes both ends.
  func closeEnds() {
    close(readingEnd)
    close(writingEnd)
  }
}
