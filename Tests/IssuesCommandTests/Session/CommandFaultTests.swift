import TestSupport
import TestTraits
import Testing

// The limit counts the time in line too.
@Suite("Faults of the command", .tags(.heavy), .timeLimit(.minutes(5)))
struct CommandFaultTests {
  private static let runs = AllCases(FaultCase.runnable, width: 6) { row in
    var problems: [String] = []
    for run in row.runs {
      problems += try await row.withWorld(of: run) { world in
        let result = try await IssuesProgram.run(
          Self.arguments(row, run, in: world),
          environment: world.environment.merging(
            ["GH_TOKEN": row.token, "GH_ENTERPRISE_TOKEN": row.token]) { $1 })
        return Self.problems(of: result, row, run, in: world)
      }
    }
    return problems
  }

  @Test("each fault of the command has its documented outcome", arguments: FaultCase.runnable)
  func command(row: FaultCase) async throws {
    let problems = try await Self.runs.result(of: row)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test(
    "each fault of several repositories or of older servers has its documented outcome",
    arguments: CommandFault.all)
  func many(row: CommandFault) async throws {
    let folder = try ScratchFolder()
    let problems = try await withLoopbackServer(answering: row.makeGitHub().handler) { server in
      let result = try await IssuesProgram.run(
        row.command + ["--api-url", server.url].filter { _ in row.command[0] != "similar" },
        environment: ["XDG_DATA_HOME": folder.path].merging(
          row.hasToken ? ["GH_ENTERPRISE_TOKEN": FaultCase.token] : [:]
        ) { $1 })
      return Self.problems(of: result, row)
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  private static func problems(of result: CommandRun.Result, _ row: CommandFault) -> [String] {
    var problems: [String] = []
    if result.status != .exited(row.status) {
      problems.append("not the status \(row.status): \(result.status) \(result.errorText)")
    }
    if let rows = row.rows, result.lines.count != rows {
      problems.append("not \(rows) rows: \(result.outputText)")
    }
    problems += row.words.filter { !result.errorText.contains($0) }.map {
      "“\($0)” isn't said: \(result.errorText)"
    }
    if (result.outputText + result.errorText).contains(FaultCase.tokenCore) {
      problems.append("the token is shown")
    }
    return problems
  }

  private static func arguments(
    _ row: FaultCase, _ run: FaultCase.Run, in world: FaultWorld
  ) -> [String] {
    var arguments = world.options + row.options
    arguments += row.limit.map { ["--limit", "\($0)"] } ?? ["--all"]
    // A fault that strikes once is retried and waited for, as without options. So is one that mustn't be
    // retried.
    if !run.isPassing, row.attempts == nil { arguments += ["--retries", "0", "--wait", "0"] }
    if let idle = row.idle {
      arguments += ["--timeout", "\(Int(idle / .milliseconds(1)))ms"]
    }
    return arguments + ["--", row.repository]
  }

  private static func problems(
    of result: CommandRun.Result, _ row: FaultCase, _ run: FaultCase.Run, in world: FaultWorld
  ) -> [String] {
    guard case .exited(let status) = result.status else {
      return ["\(run): ended by a signal: \(result.status) \(result.errorText)"]
    }
    let observation = FaultObservation(
      numbers: result.numbers, status: status, message: result.errorText,
      printed: result.outputText + result.errorText)
    var problems = observation.problems(with: row, run, in: world)
    for word in ["<html", "<!DOCTYPE", "Fatal error", ".swift:"]
    where observation.printed.contains(word) {
      problems.append("\(run): shows \(word)")
    }
    let scalars = HostileText.dangers(in: observation.printed).filter {
      !["\n", "\t"].contains($0)
    }
    if !scalars.isEmpty { problems.append("\(run): lets \(scalars) through") }
    if status != 0, row.options.isEmpty, !(1...2).contains(result.errorLines.count) {
      problems.append("\(run): says it in \(result.errorLines.count) lines: \(result.errorText)")
    }
    return problems
  }
}
