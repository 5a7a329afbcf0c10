import PlatformModules
import TestSupport
import Testing

@Suite("Images on a terminal", .serialized, .timeLimit(.minutes(5)))
struct ImageTests {
  private static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
  private static let answer = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;22c"
  private static let deletion = "\u{1B}\\\u{1B}_Ga=d,d=A,q=2\u{1B}\\"
  private static let isOn = ["PROBE_IMAGES": "1", "TERM": "xterm-256color"]

  /// The images that a terminal was told to keep and to place.
  private static func counts(_ output: String) -> [Int] {
    ["\u{1B}_Ga=t,", "\u{1B}_Ga=p,"].map {
      output.split(separator: $0, omittingEmptySubsequences: false).count - 1
    }
  }

  @Test("a terminal that confirms support gets all images, and none remains at the end")
  func shown() async throws {
    let probe = try ProbeRun("image=8", "events", "close", environment: Self.isOn)
    try await probe.run.waitFor(Self.question)
    try await probe.report("resized 80x24")
    probe.run.write("a\(Self.answer)b")
    try await probe.report("key character(\"b\")")
    try await probe.run.waitFor("\u{1B}_Ga=p,")
    probe.run.write("q")
    let result = try await probe.run.result()
    #expect(result.status == .exited(0))
    let output = result.outputText
    #expect(Self.counts(output) == [1, 1])
    #expect(output.contains(ProbeRun.mark("cells 10x20")))
    let before = output.section(after: "open", before: "resized 80x24")
    #expect(before.map(Self.counts) == [0, 0])
    #expect(
      output.section(after: "done events", before: "done close")?.contains(Self.deletion) == true)
    #expect(output.contains(ProbeRun.mark("key character(\"a\")")))
    #expect(!output.contains("key character(\"G\")"))
  }

  @Test("no image is sent without a confirmation")
  func unanswered() async throws {
    for answer in ["\u{1B}[?62;22c", "\u{1B}_Gi=31;ENOTSUPPORTED:no\u{1B}\\\u{1B}[?62;22c"] {
      let probe = try ProbeRun("image=8", "events", "close", environment: Self.isOn)
      try await probe.run.waitFor(Self.question)
      probe.run.write("\(answer)q")
      let output = try await probe.run.result().outputText
      #expect(output.split(separator: "\u{1B}_G", omittingEmptySubsequences: false).count == 2)
    }
  }

  @Test(
    "the terminal isn't asked when images are off or in a multiplexer",
    arguments: [
      ["TERM": "xterm-256color"], isOn.merging(["TMUX": "/tmp/x,1,0"]) { $1 },
      isOn.merging(["STY": "1.pts"]) { $1 }, isOn.merging(["TERM": "tmux-256color"]) { $1 },
      isOn.merging(["TERM": "screen-256color"]) { $1 }, isOn.merging(["TERM": "linux"]) { $1 },
    ])
  func unasked(environment: [String: String]) async throws {
    let probe = try ProbeRun("image=8", "events", "close", environment: environment)
    try await probe.report("resized 80x24")
    // Even if it answers unasked.
    probe.run.write("\(Self.answer)q")
    let output = try await probe.run.result().outputText
    #expect(!output.contains("\u{1B}_G"))
  }

  @Test(
    "a signal deletes all images", .enabled(if: ProbeRun.hasShell, "dash is not installed"),
    arguments: [SIGTERM, SIGHUP, SIGINT])
  func signals(number: Int32) async throws {
    let probe = try ProbeRun(
      script: #"PROBE_IMAGES=1 "$0" palette image=8 events; echo status=$?="#)
    try await probe.run.waitFor(Self.question)
    probe.run.write(Self.answer)
    try await probe.run.waitFor("\u{1B}_Ga=p,")
    try await probe.signalProbe(number)
    let output = try await probe.run.result().outputText
    #expect(output.contains("status=\(128 + number)="))
    #expect(
      output.section(after: "\u{1B}_Ga=p,", before: "status")?.contains(Self.deletion) == true)
  }

  @Test("a loan deletes all images, and the next confirmation shows them again")
  func loan() async throws {
    let probe = try ProbeRun(
      "image=8", "events", "lend=:", "events", "close", environment: Self.isOn)
    try await probe.run.waitFor(Self.question)
    probe.run.write(Self.answer)
    try await probe.run.waitFor("\u{1B}_Ga=p,")
    probe.run.write("q")
    try await probe.report("done lend")
    probe.run.write(Self.answer)
    _ = try await probe.run.waitFor(after: 0) { output in
      Self.counts(String(decoding: output, as: UTF8.self)) == [2, 2] ? true : nil
    }
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    #expect(
      output.section(after: "done events", before: "done lend")?.contains(Self.deletion) == true)
    #expect(Self.counts(output) == [2, 2])
  }

  @Test("a large image doesn't delay keys")
  func large() async throws {
    let probe = try ProbeRun("image=3000", "events", "close", environment: Self.isOn)
    try await probe.run.waitFor(Self.question)
    probe.run.write(Self.answer)
    try await probe.run.waitFor("\u{1B}_Ga=t,")
    probe.run.write("xq")
    let output = try await probe.run.result().outputText
    // Between two turns of sending.
    #expect(output.section(after: "key character(\"x\")", before: "done close") != nil)
    #expect(output.contains(Self.deletion))
  }
}
