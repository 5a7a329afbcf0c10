import Dispatch
import TestTraits
import Testing

@testable import TerminalMarkdown

@Suite("The parser's thread", .ownThread, .timeLimit(.minutes(5)))
struct ParsingThreadTests {
  @Test("work within the time limit returns its value")
  func done() {
    let thread = ParsingThread(limit: .seconds(60))
    #expect(thread.run { 1 } == 1)
    #expect(thread.run { [2, 3] } == [2, 3])
  }

  @Test("work beyond the time limit is abandoned and doesn't block other work")
  func givenUp() {
    let thread = ParsingThread(limit: .milliseconds(10))
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let value = thread.run {
      begun.signal()
      end.wait()
      return 1
    }
    #expect(value == nil)
    begun.wait()
    // Nothing begins after it: each of these would wait as long.
    for _ in 1...100 { #expect(thread.run { Issue.record("This was begun.") } == nil) }
    end.signal()
    // Once it is done, other work begins again.
    while thread.run({ 2 }) == nil {}
  }
}
