import PlatformModules
import TestSupport
import Testing

@Suite("Faults seen by an agent's client", .timeLimit(.minutes(5)))
struct AgentFaultTests {
  @Test("each fault is reported to an agent's client as documented", arguments: AgentFault.all)
  func agent(row: AgentFault) async throws {
    let filled = try FilledMirror()
    let folder = filled.folder
    let path = folder["issues/mirror.db"]
    let other = folder["other.db"]
    var mirror = other
    switch row.place {
    case .empty: break
    case .folder:
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    case .text(let text): try Data(text.utf8).write(to: URL(filePath: other))
    case .mirror, .sharedMirror:
      try await filled.add("a/b", items: [.init(number: 1, title: "x")])
      mirror = path
      if case .sharedMirror = row.place {
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
      }
    }
    let before = folder.contents("other.db")
    let line = row.line ?? AgentFault.request("tools/call", #""name":"mirror_status""#)
    let last = AgentFault.request("tools/list", #""cursor":null"#)
      .replacing(#""id":1"#, with: #""id":2"#)
    let options =
      row.options.first == "--mirror" ? row.options : ["--mirror", mirror] + row.options
    let result = try await IssuesProgram.start(
      ["mcp"] + options, wholeEnvironment: ["HOME": "/nonexistent"],
      input: "\(line)\n\(last)\n"
    ).result()
    let problems = Self.problems(of: result, row.outcome)
    #expect(problems.isEmpty, "\(problems): \(result.outputText.prefix(2_000)) \(result.errorText)")
    if case .empty = row.place { #expect(!folder.names.contains("other.db")) }
    #expect(folder.contents("other.db") == before)
  }

  private static func problems(
    of result: CommandRun.Result, _ outcome: AgentFault.Outcome
  ) -> [String] {
    func missing(_ words: [String], in text: String) -> [String] {
      words.filter { !text.contains($0) }.map { "“\($0)” isn't said" }
    }
    if case .failure(let status, let words) = outcome {
      return (result.status == .exited(status) ? [] : ["not the status \(status)"])
        + (result.output.isEmpty ? [] : ["an answer"]) + missing(words, in: result.errorText)
    }
    let lines = result.lines.compactMap {
      try? JSONDecoder().decode(MCPPipe.Line.self, from: Data($0.utf8))
    }
    var problems = result.status == .exited(0) ? [] : ["not the status 0"]
    if lines.count != result.lines.count { problems.append("a line that is no message") }
    if !lines.contains(where: { $0.id == 2 && $0.result?.tools != nil }) {
      problems.append("the next request isn't answered")
    }
    let answers = lines.filter { $0.id != 2 }
    switch outcome {
    case .refusal(let words):
      if answers.map(\.result?.isError) != [true] { problems.append("no refusal") }
      problems += missing(words, in: answers.first?.text ?? "")
    case .error(let code):
      if answers.map(\.error?.code) != [code] { problems.append("not the error \(code)") }
    case .silence(let words):
      if !answers.isEmpty { problems.append("an answer") }
      problems += missing(words, in: result.errorText)
    case .failure: break
    }
    return problems
  }
}
