internal import ArgumentParser
internal import IssueMirrorPostgres
internal import StyledText

struct WorkerStatusCommand: JSONCommand, DatabaseCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument, NamedChoice {
    case text, prometheus
  }

  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show workers, the queue, the age of the data, failures and budgets.",
    usage: "issues worker status [<options>]",
    discussion: """
      On a terminal, it shows the queue and the age of the data, then the workers that are alive, with \
      the reason if they pause, current syncs, failures, the rest of the server's limit for each \
      token, which is named by a digest, and the organizations of --feed.

      In a pipe, each value is a line: its name, a tab, and the value, in seconds if it is a time. A \
      line 'worker' has the server, the worker, the seconds since its start, since its last report \
      and until its pause ends, and the reason for the pause. A line 'age' has the server, a \
      repository and the seconds since its sync. A repository that has failed is a line 'failing' \
      with its name, the failures in a row, the seconds until it is due again and the reason. A line \
      'feed' has the server, the organization, the seconds since it was asked, how often its list \
      made a repository due, why it is unavailable, how many changes in a row the list had, and how \
      many repositories it lacked changes of.

      --format prometheus writes the text that Prometheus reads, for example for the textfile \
      collector of its node exporter. 'issues worker --listen' serves it directly.

      EXAMPLES:
        issues worker status --database service=issues
        issues worker status --json failing --jq '.failing[].repository'
        issues worker status --format prometheus > issues.prom
      """)

  @Option(help: "The format. (default: text)")
  var format = Format.text

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @OptionGroup(title: "Output") var output: OutputOptions

  static let terminalUse = TerminalUse.unpaged
  static var jsonFields: JSONFields.Known { .all(of: WorkerStatusReport.Field.self) }

  func validateOptions() throws {
    guard format == .text || !output.isJSON else {
      throw ValidationError("--format \(format.rawValue) and --json exclude each other.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let status = try await session.existingQueueMirror()?.workerStatus() ?? WorkerStatus()
    if format == .prometheus {
      return try await session.output.write(PlainText.harmless(status.metrics))
    }
    let report = WorkerStatusReport(status: status)
    if let fields {
      return try await JSONSink.write(report.object(), fields, to: session)
    }
    guard session.style.layout == .table else {
      return try await session.output.write(report.lines(in: session.style.color))
    }
    try await session.output.write(report.text(in: session.style))
    if status.repositories == 0 {
      session.errors.write("The queue is empty. Fill it with 'issues worker add'.")
    }
  }
}
