internal import ArgumentParser
internal import IssueMirror
internal import StyledText

/// `issues sql`.
struct SQLCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Ask the mirror in SQL.",
    discussion: """
      Answers one statement of SQLite's SQL that reads: tab-separated values without a heading, or with \
      --json an array of objects. Nothing can be written or attached, and nothing is asked of a server.

      The tables are made for this program; these views are made for people:
        issues    host, repository, number, kind, state, title, body, author,
                  labels, assignees, milestone, comments, is_draft, is_locked,
                  created_at, updated_at, closed_at, merged_at, url, json
        comments  host, repository, number, id, author, body, created_at,
                  updated_at, url, json

      EXAMPLES:
        issues sql 'SELECT author, count(*) FROM issues GROUP BY 1 ORDER BY 2 DESC'
        issues sql --json "SELECT number, title FROM issues WHERE labels LIKE '%bug%'"
      """)

  @Argument(help: "The statement.")
  var query: String

  @Flag(help: "Write an array of objects.")
  var json = false

  @Option(help: ArgumentHelp("Give up after so many seconds.", valueName: "seconds"))
  var timeout = 60

  func validate() throws {
    guard (1...86_400).contains(timeout) else {
      throw ValidationError("--timeout is from 1 to 86400 seconds.")
    }
  }

  func run() async throws {
    let writer = QueryWriter(isJSON: json)
    let (query, timeout) = (query, timeout)
    let status = await CommandSession.run(color: .automatic) { session in
      guard let mirror = try session.existingMirror() else {
        throw CommandFailure(
          .notFound, "there is no mirror on this machine\nMake one with 'issues sync OWNER/REPO'.")
      }
      let answer = try await mirror.query(query, timeLimit: .seconds(timeout))
      try await writer.write(answer, to: session.output)
    }
    throw ExitCode(status.rawValue)
  }
}
