internal import ArgumentParser
internal import IssueBrowser
internal import IssueMirror
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct TreeCommand: JSONCommand, DatabaseCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: "Show an issue with all levels of its sub-issues.",
    usage: """
      issues tree [<options>] [OWNER/REPO] NUMBER
      issues tree [<options>] OWNER/REPO#NUMBER | URL
      """,
    discussion: """
      In a clone, the number is enough. GitHub allows eight levels; --depth shows fewer. The \
      sub-issues of a level are requested in parallel, for at most 200 issues; \
      standard error says if there are more.

      In a pipe, each issue is a line of tab-separated values: its level (0 is the issue itself), \
      OWNER/REPO#NUMBER, state, title, type, the number of its sub-issues that are done, and of all \
      its sub-issues. With --json, the issues are in the same order, as the server sent them, with the level \
      in 'depth' and the parent's OWNER/REPO#NUMBER in 'parent'.

      With --offline, the sub-issues come from the mirrors of that server ('issues sync'), in the \
      order of their numbers; standard error says how many of them aren't mirrored.

      Servers of GitHub Enterprise may lack sub-issues. The command remembers that for a month.

      EXAMPLES:
        issues tree swiftlang/swift 12
        issues tree 12 --depth 1             (in a clone)
        issues tree swiftlang/swift#12 --json depth,number,title,state
        issues tree swiftlang/swift 12 --offline
      """)

  @OptionGroup var issue: SingleIssueArguments

  @Option(
    help: ArgumentHelp(
      "The maximum number of levels of sub-issues, 1 to \(SubIssueTree.deepest). (default: \(SubIssueTree.deepest))",
      valueName: "number"))
  var depth: Int?

  @Flag(help: "Show the mirror, not the server; see 'issues sync'.")
  var offline = false

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known {
    .sent(GitHub.Issue.fieldNames + [TreeRow.depthField, TreeRow.parentField])
  }

  mutating func takeArgument(_ word: String) -> Bool {
    issue.take(word)
  }

  func validateOptions() throws {
    try issue.require()
    if let depth, !(1...SubIssueTree.deepest).contains(depth) {
      throw ValidationError("--depth must be a number from 1 to \(SubIssueTree.deepest).")
    }
    guard !offline || !connection.request.stub else {
      throw ValidationError("--offline shows the mirror: leave out --stub.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let (repository, number) = try issue.issue("to see a tree", command: "tree")
    let place = try await session.place(of: repository, apiURL: connection.request.apiURL)
    if offline {
      return try await show(
        number, of: session.mirrored(place), "\(place)#\(number)", session, fields)
    }
    let github = try await connection.connection(to: place.server, session)
    let (name, subject) = ("\(place.name)", "\(place)#\(number)")
    session.progress.update("Looking up \(subject)…")
    let root: Sent<GitHub.Issue> = try await github.explaining(subject) {
      provider throws(NetworkError) in
      try await provider.entity(.issue(repositoryFullName: name, number: number))
    }
    let gaps = ServerGaps(environment: session.environment)
    let saysNothing = root.entity.subIssues == nil
    if saysNothing, gaps?.lacks(.subIssues, place.server) == true { throw lack(on: place.server) }
    let issuePlace =
      root.entity.url.flatMap { IssuePlace($0) }
      ?? IssuePlace(repository: place.name, number: root.entity.number)
    let tree: SubIssueTree
    do throws(NetworkError) {
      tree = try await SubIssueTree.load(
        root, at: issuePlace, provider: github.provider, maximumDepth: depth ?? SubIssueTree.deepest
      ) { session.progress.update("Loading the sub-issues of \(subject)… \($0 - 1) so far") }
    } catch {
      guard saysNothing, error.mayBeGap else { throw github.explanation(of: error, subject) }
      gaps?.note(.subIssues, place.server)
      throw lack(on: place.server)
    }
    session.progress.finish()
    try await show(tree, subject, in: session, fields: fields)
  }

  private func show(
    _ number: Int, of place: MirroredPlace, _ subject: String, _ session: CommandSession,
    _ fields: JSONFields?
  ) async throws {
    let (mirror, repository) = (place.mirror, place.repository)
    guard let root = try await mirror.sentIssue(number, of: repository) else {
      throw try await place.absence(of: number)
    }
    session.tellAge(of: place, verbosity: connection.request.verbose)
    // An organization's trees span its repositories.
    let repositories = try await mirror.repositories().filter { $0.host == repository.host }
    let query = try SearchQuery(parsing: "has:parent-issue is:issue sort:created-asc")
    let found = try await mirror.find(query, in: repositories, limit: .max)
    let children = try await mirror.results(0..<found.resultsCount, of: found)
    let rootPlace =
      root.entity.url.flatMap { IssuePlace($0) }
      ?? RepositoryName(repository.fullName).map { IssuePlace(repository: $0, number: number) }
    guard let rootPlace else { throw try await place.absence(of: number) }
    let tree = await SubIssueTree.find(
      root, at: rootPlace, among: children.map { Sent($0.issue, json: $0.json) },
      maximumDepth: depth ?? SubIssueTree.deepest)
    try await show(tree, subject, in: session, fields: fields)
    let missing = tree.unfoundCount
    if missing > 0 {
      session.errors.write(
        "\(missing) \(missing == 1 ? "sub-issue isn't" : "sub-issues aren't") in the mirrors of \(repository.host): "
          + "'issues tree' without --offline asks the server.")
    }
  }

  private func show(
    _ tree: SubIssueTree, _ subject: String, in session: CommandSession, fields: JSONFields?
  ) async throws {
    var writer = try ListWriter<TreeRow>(session, fields: fields)
    let count = tree.nodes.count - 1
    let noun = count == 1 ? "sub-issue" : "sub-issues"
    let isUnicode = CharacterEncoding.isUTF8(in: session.environment)
    try await writer.write(
      tree.nodes.indices.map { TreeRow(tree, $0, isUnicode: isUnicode) },
      heading: "\(subject) has \(count == 0 ? "no" : "\(count)") \(noun)")
    try await writer.finish()
    if tree.nodes.contains(where: { $0.omission == .requests }) {
      try await writer.tell(
        "Not all sub-issues are shown: too many issues have sub-issues. Show a part by its own number."
      )
    }
  }

  private func lack(on server: GitHubServer) -> CommandFailure {
    CommandFailure(.notFound, "\(server) has no sub-issues")
  }
}

/// An issue in a tree.
struct TreeRow: ListItem {
  static let depthField = "depth"
  static let parentField = "parent"

  private let node: SubIssueTree.Node
  private let parent: IssuePlace?
  private let root: IssuePlace
  /// The lines of the tree before the number.
  private let lines: String

  init(_ tree: SubIssueTree, _ index: Int, isUnicode: Bool) {
    node = tree.nodes[index]
    parent = node.parent.map { tree.nodes[$0].place }
    root = tree.nodes[0].place
    var lines = ""
    var above = node
    while let next = above.parent {
      let isOwn = above.depth == node.depth
      let line =
        switch (isOwn, above.isLast) {
        case (true, false): isUnicode ? "├─ " : "|- "
        case (true, true): isUnicode ? "└─ " : "`- "
        case (false, false): isUnicode ? "│  " : "|  "
        case (false, true): "   "
        }
      lines = line + lines
      above = tree.nodes[next]
    }
    self.lines = lines
  }

  private var issue: GitHub.Issue { node.issue.entity }

  private var style: Style { .state(issue.state, issue.stateReason) }

  static let columns: [ItemColumn<TreeRow>] = [
    .init("ISSUE") { row, _ in
      let place = row.node.place
      let name = place.repository == row.root.repository ? "#\(place.number)" : "\(place)"
      return StyledLine(runs: [
        StyledLine.Run(row.lines, style: .faint),
        StyledLine.Run(name, style: row.style, link: row.issue.htmlURL.flatMap { WebLink($0) }),
      ])
    },
    .init("TITLE", .flexible(minimum: 24)) { row, _ in StyledLine(row.issue.title) },
    .init("STATE", dropOrder: 3) { row, _ in
      StyledLine(row.issue.state.rawValue, style: row.style)
    },
    .init("TYPE", .limited(percent: 15), dropOrder: 1) { row, _ in
      StyledLine(row.issue.type?.name ?? "")
    },
    .init("DONE", alignment: .trailing, dropOrder: 4) { row, _ in
      StyledLine((row.issue.subIssues?.progress ?? "") + (row.node.omission == nil ? "" : " …"))
    },
    .init("ASSIGNEES", .limited(percent: 20), dropOrder: 2) { row, _ in
      StyledLine(list: row.issue.assignees.map { StyledLine.Run($0.login) })
    },
  ]

  func plainCells() -> [StyledLine] {
    [
      StyledLine("\(node.depth)"),
      StyledLine("\(node.place)", style: style),
      StyledLine(issue.stateName, style: style),
      StyledLine(issue.title),
      StyledLine(issue.type?.name ?? ""),
      StyledLine("\(issue.subIssues?.completed ?? 0)"),
      StyledLine("\(issue.subIssues?.total ?? 0)"),
    ]
  }

  func object() throws -> JSONObject {
    JSONObject(
      node.issue.json,
      adding: [
        .init(name: Self.depthField, value: Data("\(node.depth)".utf8)),
        .init(
          name: Self.parentField,
          value: try GitHubJSON.encoder().encode(parent?.description)
        ),
      ])
  }
}
