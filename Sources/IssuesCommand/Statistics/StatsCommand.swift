internal import ArgumentParser
internal import IssueMirror

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// `issues stats`.
struct StatsCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count a repository's issues, from the mirror.",
    usage: "issues stats [<options>] [OWNER/REPO]",
    discussion: """
      What was opened and closed week by week, how old the open issues are, the busiest labels and the \
      most active people. Nothing is asked: 'issues sync' brings the mirror up to date. Pull requests \
      aren't counted.

      Weeks begin on Monday 00:00 by UTC; the last one is under way. Of what was closed and opened \
      again, only the last is known. Labels and people are those of the weeks that are shown; people's \
      comments count where the mirror has comments ('issues sync --comments').

      Bars on a terminal; in a pipe lines of values between tabs, with what they are first: \
      repository, open, closed, median_age (seconds), week (day, opened, closed), age (days from, days \
      to, open issues), label (name, opened, open), author (login, opened, comments).

      EXAMPLES:
        issues stats apple/swift
        issues stats --weeks 52 --html swift.html
        issues stats apple/swift --json weeks | jq '.weeks[-1]'
      """)

  @Argument(
    help: ArgumentHelp(
      "The repository; that of the clone you stand in if left out.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repository: String?

  @OptionGroup var option: RepositoryOptions

  @Option(
    help: ArgumentHelp("How many weeks, from 1 to 520. (default: 12)", valueName: "number"),
    transform: ValueReader.weeks)
  var weeks = 12

  @Option(
    help: ArgumentHelp(
      "Write a page for a browser instead, with charts, to this file (-: standard output).",
      valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  @Flag(help: "Replace the file if it is there.")
  var force = false

  @OptionGroup(title: "Output") var output: OutputOptions

  static var jsonFields: JSONFields.Known { .all(of: StatisticsReport.Field.self) }

  static func needsNetwork(_ arguments: [String]) -> Bool { false }

  mutating func takeArgument(_ word: String) -> Bool {
    guard repository == nil, word.contains("/") else { return false }
    repository = word
    return true
  }

  func validateOptions() throws {
    guard html == nil || output.json == nil else {
      throw ValidationError("Choose one of --html and --json.")
    }
    guard !force || html.map({ $0 != "-" }) == true else {
      throw ValidationError("--force only makes sense with --html and a file.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let place = try await session.wholeMirror(
      of: RepositoryChoice(parsing: repository, option: option.repo))
    let statistics = try await place.mirror.statistics(of: place.repository, weeks: weeks)
    if html == "-" {
      try await session.output.write(StatisticsPage(statistics).html)
    } else if let html {
      try await ExportFile.write(at: html, replaces: force) { file in
        try await file.write(Array(StatisticsPage(statistics).html.utf8))
      }
    } else {
      try await StatisticsReport(statistics: statistics).write(to: session, fields: fields)
    }
    session.tellFreshness(of: [place.repository])
  }
}
