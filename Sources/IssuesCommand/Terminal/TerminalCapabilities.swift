#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a file descriptor is connected to.
struct TerminalCapabilities: Sendable, Hashable {
  /// Whether somebody sits at the other end.
  var isTerminal: Bool

  /// The width of the window in columns; `nil` for what has no window, or doesn't tell its size.
  var columns: Int?

  /// Describes a terminal, or what isn't one.
  init(isTerminal: Bool, columns: Int? = nil) {
    self.isTerminal = isTerminal
    self.columns = columns
  }

  /// Asks the kernel about `descriptor`.
  init(descriptor: CInt) {
    isTerminal = isatty(descriptor) == 1
    columns = isTerminal ? Self.columns(of: descriptor) : nil
  }

  /// The width of a terminal's window now, in columns.
  ///
  /// A serial line or a fresh pseudo-terminal says 0, which means that it doesn't know.
  static func columns(of descriptor: CInt) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
