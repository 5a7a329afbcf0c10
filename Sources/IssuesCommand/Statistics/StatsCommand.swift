internal import ArgumentParser
internal import IssueMirror
internal import PlatformModules

struct StatsCommand: JSONCommand, DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count a repository's issues, from the mirror.",
    usage: """
      issues stats [<options>] [OWNER/REPO]
      issues stats --all [<options>]
      """,
    discussion: """
      Shows the issues opened and closed in each week and their balance, the time to the first \
      answer and to closing, who answers first, the age of open issues, the busiest labels and the \
      most active people. Pull requests aren't counted. No server is contacted, unless --max-age says \
      how old the mirror may be: 'issues sync' updates it.

      HOW IT COUNTS:
      Weeks start on Monday at 00:00 UTC; the last one isn't over yet. Labels, people and times \
      are those of the weeks shown. If an issue was closed and reopened, only the last change is \
      known, unless timelines are mirrored ('issues sync --timeline'): then each change counts. \
      Comments are counted if they are mirrored ('issues sync --comments').

      A first answer is a comment by someone other than the author, and not by a bot; \
      maintainers are owners, members and collaborators. It requires comments or timelines. \
      Unknown figures are named, with the command that mirrors them. Times to an answer are those of \
      issues opened in these weeks that have one; times to closing go from the opening to the last \
      closing, of issues closed in these weeks.

      OUTPUT FORMAT:
      --all lists all mirrored repositories, the busiest first: in a pipe, one line each with the \
      name, the numbers of open issues, of those opened and closed in the weeks, and the median age \
      in seconds; with --json, an array.

      On a terminal, the output is tables with bars. In a pipe, each line has tab-separated \
      values, the first of which is its kind: repository, open, closed, median_age (seconds), week \
      (day, opened, closed, reopened, balance), age (days from, days to, open issues), label \
      (name, opened, open), author (login, opened, comments), time (answer, maintainer or close; \
      issues, median and 90th percentile in seconds), unanswered, answerer (login, first answers, \
      maintainer), unknown (figure, command).

      EXAMPLES:
        issues stats apple/swift
        issues stats --weeks 52 --html swift.html
        issues stats apple/swift --max-age 1h
        issues stats --all --weeks 4
        issues stats apple/swift --json weeks | jq '.weeks[-1]'
        issues stats apple/swift --json time_to_close,first_answers
      """)

  @Argument(help: .repositoryOrClone, completion: .custom(MirrorCompletion.repositories))
  var repository: String?

  @OptionGroup var option: RepositoryOptions

  @Option(
    help: ArgumentHelp("The number of weeks, from 1 to 520. (default: 12)", valueName: "number"),
    transform: ValueReader.weeks)
  var weeks = 12

  @Option(
    help: ArgumentHelp(
      "Write an HTML page with charts to this file instead; - is standard output.",
      valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  @Flag(help: "List all mirrored repositories.")
  var all = false

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var mirror: MirrorReadingOptions

  var database: DatabaseOptions { mirror.database }

  static var jsonFields: JSONFields.Known { .all(of: StatisticsReport.Field.self) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard repository == nil, word.contains("/") else { return false }
    repository = word
    return true
  }

  func validateOptions() throws {
    try mirror.validateForMirror()
    guard html == nil || !output.isJSON else {
      throw ValidationError("Use either --html or --json.")
    }
    guard !all || (repository == nil && option.repo == nil && html == nil && mirror.maxAge == nil)
    else {
      throw ValidationError(
        "--all lists all mirrored repositories: leave out names, --html and --max-age.")
    }
    guard !force || html.map({ $0 != "-" }) == true else {
      throw ValidationError("--force only makes sense with --html and a file.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    if all { return try await StatisticsOverview.show(weeks, in: session, fields: fields) }
    let place = try await mirror.wholeMirror(
      of: RepositoryChoice(parsing: repository, option: option.repo), in: session)
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
