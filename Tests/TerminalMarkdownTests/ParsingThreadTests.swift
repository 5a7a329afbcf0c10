import Dispatch
import TestTraits
import Testing

@testable import TerminalMarkdown

@Suite("The thread of the parser", .ownThread, .timeLimit(.minutes(5)))
struct ParsingThreadTests {
  @Test("work finished in time returns its value")
  func done() {
    let thread = ParsingThread(limit: .seconds(60))
    #expect(thread.run { 1 } == 1)
    #expect(thread.run { [2, 3] } == [2, 3])
  }

  @Test("work that takes too long is abandoned, and other work doesn't wait for it")
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
