internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules

/// `issues help --all`. The parser has a subcommand `help` of its own for everything else.
struct ManualCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    _superCommandName: IssuesCommand._commandName,
    abstract: "Show all pages of the manual.",
    usage: "issues help --all")

  @Flag(help: "Show all pages of the manual.")
  var all = false

  @Option(
    help: ArgumentHelp("Write pages for 'man'.", valueName: "folder", visibility: .hidden))
  var man: String?

  @Option(
    help: ArgumentHelp("Write pages in Markdown.", valueName: "folder", visibility: .hidden))
  var markdown: String?

  /// Wider lines are hard to read.
  private static let longestLine = 100

  static func isMeant(by arguments: [String]) -> Bool {
    arguments.first == "help"
      && arguments.dropFirst().contains { argument in
        ["--all", "--man", "--markdown"].contains { argument == $0 || argument.hasPrefix("\($0)=") }
      }
  }

  func validate() throws {
    guard [all, man != nil, markdown != nil].count(where: \.self) == 1 else {
      throw ValidationError("Ask for one of --all, --man and --markdown.")
    }
  }

  func run(in session: CommandSession) async throws {
    let pages = ManualPage.all
    if let man {
      let date = try Self.date(in: session.environment)
      try await Self.write(pages, to: man) {
        ("\($0.name).1", $0.roff(date: date, version: PackageVersion.current))
      }
    } else if let markdown {
      try await Self.write(pages, to: markdown) { ("\($0.name).md", $0.markdown) }
    } else {
      let style = session.style
      let width = style.layout == .table ? min(style.width, Self.longestLine) : 80
      for page in pages {
        try await session.output.write(
          page.text(
            width: width, color: style.color, withShared: page.words.count == 1))
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

  /// The day of the sources where it is known, so that the same sources make the same pages
  /// (<https://reproducible-builds.org/specs/source-date-epoch/>).
  private static func date(in environment: [String: String]) throws(CommandFailure) -> String {
    guard let epoch = environment["SOURCE_DATE_EPOCH"] else { return day(.now) }
    guard let seconds = Double(epoch), (0..<253_402_300_800).contains(seconds) else {
      throw CommandFailure(.usage, "SOURCE_DATE_EPOCH is no time: \(epoch)")
    }
    return day(Date(timeIntervalSince1970: seconds))
  }

  private static func day(_ date: Date) -> String {
    date.formatted(.iso8601.year().month().day())
  }
}
