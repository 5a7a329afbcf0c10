import Dispatch
import PlatformModules
import StyledText
import Testing

@testable import IssuesCommand

@Suite("Output", .timeLimit(.minutes(5)))
struct OutputTests {
  init() {
    OwnProcess.prepare()
  }

  @Test("output is written at once, whatever its length")
  func immediate() async throws {
    let file = try ScratchFile()
    let output = Output(descriptor: file.descriptor)
    try await output.write("one\n")
    #expect(file.contents == "one\n")
    try await output.write(Array("two\n".utf8))
    #expect(file.contents == "one\ntwo\n")
    let text = String(repeating: "x", count: 100_000)
    try await output.write(text)
    #expect(file.contents == "one\ntwo\n\(text)")
  }

  @Test("a full disk is reported by this write and by all later ones")
  func full() async throws {
    let device = open("/dev/full", O_WRONLY)
    defer { close(device) }
    let output = Output(descriptor: device)
    let failure = await #expect(throws: OutputError.self) { try await output.write("row\n") }
    #expect(failure == .failed(errno: ENOSPC))
    #expect(failure?.description == "cannot write to standard output: No space left on device")
    #expect(failure?.exitStatus == .output)
    await #expect(throws: OutputError.failed(errno: ENOSPC)) { try await output.write("more\n") }
  }

  @Test("a pipe without a reader is closed without a failure")
  func closedPipe() async throws {
    let pipe = try #require(Pipe())
    close(pipe.readingEnd)
    defer { close(pipe.writingEnd) }
    let output = Output(descriptor: pipe.writingEnd)
    let failure = await #expect(throws: OutputError.self) { try await output.write("row\n") }
    #expect(failure == .closed)
    #expect(failure?.exitStatus == .done)
  }

  @Test("a closed descriptor is a failure")
  func notOpen() async throws {
    let output = Output(descriptor: -1)
    await #expect(throws: OutputError.failed(errno: EBADF)) { try await output.write("row\n") }
  }

  @Test("a non-blocking pipe gets every byte, however slow its reader")
  func nonBlocking() async throws {
    let pipe = try #require(Pipe())
    _ = fcntl(pipe.writingEnd, F_SETFL, O_NONBLOCK)
    let text = (0..<100_000).map { "row \($0)\n" }.joined()
    async let received = readToEnd(of: pipe.readingEnd)
    let output = Output(descriptor: pipe.writingEnd)
    try await output.write(text)
    close(pipe.writingEnd)
    #expect(await received == text)
  }

  @Test("a message is neutralized line by line")
  func messages() throws {
    let terminal = try PseudoTerminal()
    ErrorOutput(descriptor: terminal.slave).write("no repository \u{1B}[2J\u{202E}x\ntry another")
    #expect(terminal.read() == "no repository ^[[2J\\u{202E}x\ntry another\n")
    ErrorOutput(descriptor: terminal.slave, color: .basic).write("a\nb", style: .heading)
    #expect(terminal.read() == "\u{1B}[1ma\u{1B}[0m\n\u{1B}[1mb\u{1B}[0m\n")
  }

  @Test("a secret is masked from its registration on, in every copy of the output")
  func secrets() throws {
    let terminal = try PseudoTerminal()
    let errors = ErrorOutput(descriptor: terminal.slave, secrets: ["first-secret"])
    let copy = errors
    errors.conceal("second-secret")
    // Too short to be one.
    errors.conceal("to")
    copy.write("first-secret to second-secretsecond-secret")
    #expect(terminal.read() == "[redacted] to [redacted][redacted]\n")
    // With a mark behind it, the last character of a secret is another.
    copy.write("second-secret\u{301} first-secret\u{200D}")
    #expect(terminal.read() == "[redacted]\u{301} [redacted]\u{200D}\n")
  }

  @Test("a line is limited by its bytes too, because marks count")
  func marks() throws {
    let file = try ScratchFile()
    ErrorOutput(descriptor: file.descriptor).write(
      "e" + String(repeating: "\u{301}", count: 100_000) + "\nnext")
    let lines = file.contents.unicodeScalars.split(separator: "\n")
    #expect(lines.map(\.count) == [1_001, 4])
    #expect(lines.first?.last == "…")
  }

  @Test("a message that fails to be written is dropped", arguments: ["/dev/full", "/dev/null"])
  func droppedMessages(device: String) {
    let descriptor = open(device, O_RDONLY)
    defer { close(descriptor) }
    ErrorOutput(descriptor: descriptor).write("nobody reads this")
  }

  @Test("a file doesn't get the descriptor of a closed standard stream")
  func closedStreams() async {
    await #expect(processExitsWith: .success) {
      close(STDIN_FILENO)
      close(STDOUT_FILENO)
      OwnProcess.prepare()
      let file = open("/dev/null", O_WRONLY)
      let output = Output(descriptor: STDOUT_FILENO)
      do {
        try await output.write("row\n")
        _exit(1)
      } catch {
        _exit(file > STDERR_FILENO && error as? OutputError == .failed(errno: EBADF) ? 0 : 1)
      }
    }
  }
}

private func readToEnd(of descriptor: CInt) async -> String {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "reading").async {
      var result: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1000)
      while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
        result += buffer[..<count]
      }
      close(descriptor)
      continuation.resume(returning: String(decoding: result, as: UTF8.self))
    }
  }
}
