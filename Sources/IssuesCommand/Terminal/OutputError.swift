#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why standard output takes no more.
enum OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reader has gone, as in `| head -1`: nothing is wrong, and nothing is left to do.
  case closed

  /// The system refused, for the reason that `errno` gives.
  case failed(errno: CInt)

  /// The status to exit with; a reader that has seen enough is no failure.
  var exitStatus: ExitStatus {
    switch self {
    case .closed: .done
    case .failed: .output
    }
  }

  var description: String {
    switch self {
    case .closed: "standard output is closed"
    case .failed(let errno):
      "cannot write to standard output: \(String(cString: strerror(errno)))"
    }
  }
}
