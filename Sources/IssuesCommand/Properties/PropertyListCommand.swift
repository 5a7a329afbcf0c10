internal import ArgumentParser
internal import IssueTracker

/// A subcommand that lists labels or milestones. It loads, filters and sorts all of them, because servers filter and
/// sort differently.
protocol PropertyListCommand: JSONCommand, LimitedCommand {
  associatedtype Entity: Decodable & Hashable & Sendable
  associatedtype Row: ListItem

  /// The noun. With an `s`, it is also the last part of the page's URL.
  static var noun: String { get }

  static func firstPage(_ repository: RepositoryName) -> GitHub
  static func row(_ sent: Sent<Entity>) -> Row

  var target: PropertyListTarget { get set }
  var list: PropertyListOptions { get set }

  func isWanted(_ entity: Entity) -> Bool
  /// Whether the first entity precedes the second in ascending order.
  func precedes(_ first: Entity, _ second: Entity) -> Bool
}

struct PropertyListTarget: ParsableArguments {
  @Argument(help: .repositoryOrClone, completion: .custom(MirrorCompletion.repositoryOrName))
  var repository: String?

  @OptionGroup var option: RepositoryOptions
}

struct PropertyListOptions: ConnectingOptions {
  @Option(help: "The sort order. (default: asc)")
  var order: ListDirection?

  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(name: .shortAndLong, help: "Open the list in the web browser instead.")
  var web = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions
}

enum ListDirection: String, NamedChoice, Sendable {
  case ascending = "asc"
  case descending = "desc"
}

extension PropertyListCommand {
  var limit: LimitOptions { list.limit }

  var output: OutputOptions {
    get { list.output }
    set { list.output = newValue }
  }

  mutating func takeArgument(_ word: String) -> Bool {
    guard target.repository == nil, word.contains("/") else { return false }
    target.repository = word
    return true
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let place = try await session.place(
      of: RepositoryChoice(parsing: target.repository, option: target.option.repo),
      apiURL: list.connection.request.apiURL)
    if list.web {
      let page = "\(place.server.webURL(of: place.name))/\(Self.noun)s"
      return try await session.openPage(page, of: place.server)
    }
    let connection = try await list.connection.connection(to: place.server, session)
    session.progress.update("Looking up the \(Self.noun)s of \(place)…")
    var writer = try ListWriter<Row>(session, fields: fields)
    let all = try await connection.explaining("\(place)") { provider throws(NetworkError) in
      var all: [Sent<Entity>] = []
      let pages = PagedListing<Sent<Entity>>(
        provider: provider, first: Self.firstPage(place.name))
      for try await page in pages { all += page.items }
      return all
    }
    var wanted = all.filter { isWanted($0.entity) }
    let isAscending = list.order != .descending
    wanted.sort { isAscending ? precedes($0.entity, $1.entity) : precedes($1.entity, $0.entity) }
    let shown = wanted.prefix(list.limit.maximum ?? .max)
    let count = wanted.count == 1 ? "1 \(Self.noun)" : "\(wanted.count) \(Self.noun)s"
    session.progress.finish()
    try await writer.write(
      shown.map(Self.row),
      heading: shown.count < wanted.count
        ? "Showing \(shown.count) of \(count) in \(place)" : "\(count) in \(place)")
    try await writer.finish(
      ListEnd(limit: shown.count < wanted.count ? shown.count : nil),
      nothing: all.isEmpty
        ? "\(place) has no \(Self.noun)s." : "No \(Self.noun) of \(place) matches.")
  }
}
