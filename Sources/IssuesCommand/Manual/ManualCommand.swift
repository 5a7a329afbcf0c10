internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules

/// The command `issues help`, which replaces the parser's subcommand of that name.
struct ManualCommand: SessionCommand {
  static let name = "help"

  static let configuration = CommandConfiguration(
    commandName: name,
    _superCommandName: IssuesCommand._commandName,
    abstract: "Show the page of a subcommand, or the whole manual.",
    usage: """
      issues help [<subcommand> | options | environment | exit-status]
      issues help --all
      """,
    discussion: """
      Without a subcommand, it shows the page of 'issues --help'. The pages match those of 'man', \
      such as 'man issues-list', without their shared lists.

      EXAMPLES:
        issues help list
        issues help label create
        issues help options             (the options that most commands share)
        issues help environment         (variables and files)
        issues help exit-status         (the meaning of each exit status)
        issues help --all
      """)

  @Argument(help: "The name of a subcommand, or of a page.")
  var subcommand: [String] = []

  @Flag(help: "Show all pages of the manual.")
  var all = false

  @Option(
    help: ArgumentHelp("Write pages for 'man'.", valueName: "folder", visibility: .hidden))
  var man: String?

  @Option(
    help: ArgumentHelp("Write pages in Markdown.", valueName: "folder", visibility: .hidden))
  var markdown: String?

  /// The maximum line length. Longer lines are hard to read.
  private static let longestLine = 100

  /// A page that doesn't belong to a subcommand, or a part of the command's own page. gh calls the last one
  /// `exit-codes`.
  private static let topics: [String: (words: [String], sections: [String]?)] = [
    SharedOptions.name: (SharedOptions.words, nil), "issues": (root, nil),
    "environment": (root, ["ENVIRONMENT", "FILES"]),
    "exit-status": (root, ["EXIT STATUS"]), "exit-codes": (root, ["EXIT STATUS"]),
  ]

  private static let root = [IssuesCommand._commandName]

  static func isTopic(_ word: String) -> Bool { topics[word] != nil }

  /// Whether a line requests a page. `help` alone means `--help`.
  static func isMeant(by arguments: [String]) -> Bool {
    arguments.first == name && arguments.count > 1
  }

  func validate() throws {
    guard [!subcommand.isEmpty, all, man != nil, markdown != nil].count(where: \.self) == 1 else {
      throw ValidationError("Name a subcommand, or use --all, --man or --markdown.")
    }
  }

  func run(in session: CommandSession) async throws {
    if let man {
      let date = try Self.date(in: session.environment)
      try await Self.write(ManualPage.all, to: man) {
        ("\($0.name).1", $0.roff(date: date, version: PackageVersion.current))
      }
    } else if let markdown {
      try await Self.write(ManualPage.all, to: markdown) { ("\($0.name).md", $0.markdown) }
    } else {
      let topic = subcommand.first.flatMap { Self.topics[$0] }
      let words = topic?.words ?? IssuesCommand.name(at: subcommand)
      let pages = all ? ManualPage.all : [ManualPage.named(words)].compactMap(\.self)
      let style = session.style
      let width = style.layout == .table ? min(style.width, Self.longestLine) : 80
      for page in pages {
        try await session.output.write(
          page.text(width: width, color: style.color, only: topic?.sections))
      }
    }
  }

  private static func write(
    _ pages: [ManualPage], to folder: String, _ file: (ManualPage) -> (name: String, text: String)
  ) async throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(.output, "the folder “\(folder)” can't be made")
    }
    for page in pages {
      let (name, text) = file(page)
      try await ExportFile.write(at: "\(folder)/\(name)", replaces: true) {
        try await $0.write(Array(text.utf8))
      }
    }
  }

  /// The date of the sources, if known, so that the same sources produce the same pages
  /// (<https://reproducible-builds.org/specs/source-date-epoch/>).
  private static func date(in environment: [String: String]) throws(CommandFailure) -> String {
    guard let epoch = environment["SOURCE_DATE_EPOCH"] else { return day(.now) }
    guard let seconds = Double(epoch), (0..<253_402_300_800).contains(seconds) else {
      throw CommandFailure(.usage, "SOURCE_DATE_EPOCH isn't a time: \(epoch)")
    }
    return day(Date(timeIntervalSince1970: seconds))
  }

  private static func day(_ date: Date) -> String {
    date.formatted(.iso8601.year().month().day())
  }
}
