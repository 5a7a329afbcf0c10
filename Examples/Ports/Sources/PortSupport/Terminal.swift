import Foundation

/// The lines of standard input, as they are typed.
///
/// `readLine()` blocks until there is a line, so it gets a thread of its own.
public func linesOfStandardInput() -> AsyncStream<String> {
  let (lines, continuation) = AsyncStream.makeStream(of: String.self)
  Thread.detachNewThread {
    while let line = readLine() {
      continuation.yield(line)
    }
    continuation.finish()
  }
  return lines
}

/// Prints a line at once, also into a pipe.
public func show(_ line: some CustomStringConvertible) {
  print(line)
  fflush(nil)
}
