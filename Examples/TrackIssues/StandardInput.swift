import Foundation

/// The lines of standard input, as they are typed.
///
/// `readLine()` blocks until there is a line, so it gets its own thread: few threads run tasks, and none should wait
/// for a person.
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
