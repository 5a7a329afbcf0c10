import ConcurrencyPrimitives
import PlatformModules
import Synchronization
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("Ctrl-C", .timeLimit(.minutes(5)))
struct InterruptTests {
  @Test("Ctrl-C erases the status line and ends the process by the signal")
  func erases() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGINT), observing: [\.standardErrorContent]
    ) {
      Interrupt.install()
      try await drawLine()
      end(by: SIGINT)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.hasSuffix("\rLoading…\u{1B}[K\r\u{1B}[K"))
  }

  @Test("SIGTERM erases the status line and ends the process by the signal")
  func terminated() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGTERM), observing: [\.standardErrorContent]
    ) {
      Interrupt.install()
      try await drawLine()
      end(by: SIGTERM)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.hasSuffix("\rLoading…\u{1B}[K\r\u{1B}[K"))
  }

  @Test("SIGTERM removes an incomplete file, also without a terminal")
  func unfinishedFile() async throws {
    let folder = try ScratchFolder()
    let path = folder["x.json"]
    await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
      try await ExportFile.write(at: path, replaces: false) { file in
        try await file.write(Array("[".utf8))
        end(by: SIGTERM)
      }
    }
    #expect(folder.names.isEmpty)
    // The next writer of the same file removes the leftovers of SIGKILL.
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try await ExportFile.write(at: path, replaces: false) { _ in end(by: SIGKILL) }
    }
    #expect(folder.names.count == 1)
    try await ExportFile.write(at: path, replaces: false) { try await $0.write(Array("[]".utf8)) }
    #expect(folder.names == ["x.json"])
  }

  @Test("without a status line, Ctrl-C writes nothing")
  func silent() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGINT), observing: [\.standardErrorContent]
    ) {
      Interrupt.install()
      end(by: SIGINT)
    }
    #expect(!(try #require(result).standardErrorContent.contains(0x1B)))
  }

  @Test("a process that inherits an ignored Ctrl-C goes on ignoring it")
  func ignored() async {
    await #expect(processExitsWith: .exitCode(7)) {
      signal(SIGINT, SIG_IGN)
      Interrupt.install()
      let handler = signal(SIGINT, SIG_DFL)
      _exit(unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) ? 7 : 1)
    }
  }

  @Test(
    "an observed Ctrl-C is reported and doesn't end the process; afterwards it does again")
  func observed() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      let (interrupts, continuation) = AsyncStream.makeStream(of: Void.self)
      let observation = Interrupt.observe { continuation.yield() }
      var iterator = interrupts.makeAsyncIterator()
      for _ in 0..<3 {
        kill(getpid(), SIGINT)
        await iterator.next()
      }
      guard let observation else { _exit(1) }
      observation.cancel()
      observation.cancel()
      end(by: SIGINT)
    }
  }
}

/// Keeps the lines on the screen until the process ends.
private let lines = Locked<[Progress]>([])

/// Shows a status line on standard error and leaves it there.
private func drawLine() async throws {
  let clock = TestClock()
  let progress = Progress(
    isEnabled: true, descriptor: STDERR_FILENO, isOfProcess: true, clock: clock, columns: { 40 })
  lines.withLock { $0.append(progress) }
  progress.update("Loading…")
  try await clock.sleepers(atLeast: 1)
  clock.advance(by: .seconds(1))
  while !Interrupt.isLineShown.load(ordering: .relaxed) { await Task.yield() }
  // The line is written under the lock that this waits for.
  progress.update("Loading…")
}

/// Sends this process a signal, as the terminal does, and waits to be ended by it.
///
/// Not `raise`, which picks the calling thread, where Dispatch has blocked all signals.
private func end(by signal: CInt) -> Never {
  kill(getpid(), signal)
  while true { pause() }
}
