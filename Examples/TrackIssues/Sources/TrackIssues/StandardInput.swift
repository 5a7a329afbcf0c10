import Foundation

/// The lines of standard input as they are typed.
///
/// `readLine()` blocks until there is a line, so it gets a thread of its own: the threads that run
/// tasks are few, and one that waits for a person is missing everywhere else.
func linesOfStandardInput() -> AsyncStream<String> {
  let (lines, continuation) = AsyncStream.makeStream(of: String.self)
  Thread.detachNewThread {
    while let line = readLine() {
      continuation.yield(line)
    }
    continuation.finish()
  }
  return lines
}
