internal import IssueBrowser
internal import IssueTracker
internal import TerminalScreen

/// Reads the configuration, and finds all problems in it.
struct ConfigurationReader {
  private let root: TOMLTable
  private(set) var configuration = Configuration()
  private(set) var problems: [ConfigurationProblem] = []
  /// The line number of each setting, by names such as `theme` and `views.triage`.
  private var lines: [String: Int] = [:]

  typealias Result = (
    configuration: Configuration, problems: [ConfigurationProblem], lines: [String: Int]
  )

  /// Reads text. The problems are in the order of the file. A setting with a problem keeps its default value.
  static func read(_ text: String) -> Result {
    do throws(ConfigurationProblem) {
      var reader = ConfigurationReader(try TOMLParser.parse(text))
      reader.readAll()
      return (
        reader.configuration,
        reader.problems.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) },
        reader.lines
      )
    } catch {
      return (Configuration(), [error], [:])
    }
  }

  private init(_ root: TOMLTable) {
    self.root = root
  }

  private mutating func readAll() {
    for (name, value) in root.entries {
      guard let setting = Configuration.Setting(rawValue: name) else {
        refuse([name], among: Configuration.Setting.allCases.map(\.rawValue), "setting")
        continue
      }
      switch setting {
      case .theme:
        configuration.theme = string(value, [name], such: "\"solarized\"")
        if configuration.theme != nil { noteLine(of: [name]) }
      case .refresh: readRefresh(value)
      case .columns: readColumns(value)
      case .plain: configuration.plain = flag(value, ["plain"]) ?? false
      case .images: configuration.images = flag(value, ["images"]) ?? false
      case .keys: readKeys(value)
      // The keys of the built-in commands must be known first.
      case .commands: break
      case .themes: readThemes(value)
      case .views: readViews(value)
      case .mirror: readMirror(value)
      case .database: readDatabase(value)
      case .forges: readForges(value)
      }
    }
    checkTheme()
    let commands = root.entries.first { $0.name == Configuration.Setting.commands.rawValue }
    if let commands { readCommands(commands.value) }
  }

  private mutating func checkTheme() {
    guard let name = configuration.theme, configuration.themes[name] == nil,
      Theme.named(name) == nil
    else { return }
    refuse(name, at: ["theme"], among: Theme.names + configuration.themes.keys.sorted(), "theme")
  }

  private mutating func noteLine(of path: [String]) {
    lines[Self.name(path)] = root.place(of: path)?.key.line
  }

  // MARK: Problems

  /// Adds a problem with a value, or with the name of the setting.
  private mutating func note(_ path: [String], isName: Bool = false, _ message: String) {
    let places = root.place(of: path)
    let place = isName ? places?.key : places?.value
    problems.append(
      ConfigurationProblem(
        setting: path.first, line: place?.line, column: place?.column, message))
  }

  private mutating func refuse(_ path: [String], among names: [String], _ kind: String) {
    refuse(path.last ?? "", at: path, isName: true, among: names, kind)
  }

  private mutating func refuse(
    _ name: String, at path: [String], isName: Bool = false, among names: [String], _ kind: String
  ) {
    let advice =
      MistypedCommand.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
      ?? "there are \(names.joined(separator: ", "))"
    note(path, isName: isName, "there is no \(kind) '\(name)'; \(advice)")
  }

  // MARK: Values

  private mutating func string(
    _ value: TOMLValue, _ path: [String], such example: String
  ) -> String? {
    if let text = value.string { return text }
    note(path, "'\(Self.name(path))' must be text such as \(example), not \(Self.kind(value))")
    return nil
  }

  /// Reads a list of strings. A single string is a list of one.
  private mutating func strings(
    _ value: TOMLValue, _ path: [String], such example: String
  ) -> [String]? {
    if let text = value.string { return [text] }
    if let array = value.array {
      let texts = array.compactMap(\.string)
      if texts.count == array.count { return texts }
    }
    note(path, "'\(Self.name(path))' must be a list of strings such as \(example)")
    return nil
  }

  private mutating func table(
    _ value: TOMLValue, _ path: [String]
  ) -> TOMLTable? {
    if let table = value.table { return table }
    let name = Self.name(path)
    note(path, "'\(name)' must be a table, with the heading [\(name)], not \(Self.kind(value))")
    return nil
  }

  private static func name(_ path: [String]) -> String { path.joined(separator: ".") }

  private static func kind(_ value: TOMLValue) -> String {
    switch value {
    case .table: "a table"
    case .array, .tables: "a list"
    case .string: "text"
    case .integer: "an integer"
    case .float: "a number"
    case .boolean: "true or false"
    case .time: "a time"
    }
  }

  // MARK: Settings

  private mutating func readRefresh(_ value: TOMLValue) {
    guard let text = string(value, ["refresh"], such: "\"5m\"") else { return }
    let duration = text == "never" ? .zero : DurationArgument(text)?.duration
    guard let duration, duration == .zero && text == "never" || duration >= .seconds(30) else {
      return note(
        ["refresh"],
        "'refresh' must be a time from \"30s\" to \"24h\", or \"never\", not \"\(text)\"")
    }
    configuration.refresh = duration
    noteLine(of: ["refresh"])
  }

  private mutating func readColumns(_ value: TOMLValue) {
    guard let names = strings(value, ["columns"], such: "[\"labels\", \"updated\"]") else { return }
    var columns: [ListColumn] = []
    for name in names {
      guard let column = ListColumn(rawValue: name) else {
        guard ["number", "title", "id"].contains(name.lowercased()) else {
          let known = ListColumn.allCases.map(\.rawValue)
          return refuse(name, at: ["columns"], among: known, "column")
        }
        return note(
          ["columns"], "there is no column '\(name)'; the number and the title always come first")
      }
      guard !columns.contains(column) else {
        return note(["columns"], "the column '\(name)' is listed twice")
      }
      columns.append(column)
    }
    configuration.columns = columns
    noteLine(of: ["columns"])
  }

  private mutating func flag(_ value: TOMLValue, _ path: [String]) -> Bool? {
    guard let isOn = value.boolean else {
      note(path, "'\(Self.name(path))' must be true or false, not \(Self.kind(value))")
      return nil
    }
    noteLine(of: path)
    return isOn
  }

  private mutating func readKeys(_ value: TOMLValue) {
    guard let table = table(value, ["keys"]) else { return }
    var chosen: [String: [InputEvent.Key]] = [:]
    for (name, value) in table.entries {
      let path = ["keys", name]
      guard KeyMap.commands.contains(name) else {
        refuse(path, among: KeyMap.commands, "command")
        continue
      }
      guard let texts = strings(value, path, such: "\"x\" or [\"x\", \"ctrl-x\"]") else { continue }
      var keys: [InputEvent.Key] = []
      for text in texts {
        guard let key = KeyMap.key(text) else {
          note(path, Self.invalidKey(text))
          continue
        }
        keys.append(key)
      }
      guard keys.count == texts.count else { continue }
      chosen[name] = keys
      noteLine(of: path)
    }
    do throws(KeyMap.Conflict) {
      configuration.keys = try KeyMap(chosen)
    } catch {
      note(
        ["keys", error.command],
        "the key \(KeyMap.name(error.key)) already means '\(error.other)': choose another, or give "
          + "'\(error.other)' another key too")
    }
  }

  private enum CommandSetting: String, CaseIterable {
    case key, command, description
  }

  private mutating func readCommands(_ value: TOMLValue) {
    guard let commands = table(value, ["commands"]) else { return }
    for (name, value) in commands.entries {
      let path = ["commands", name]
      guard MistypedCommand.looksLikeName(name) else {
        note(
          path,
          "a command can't be called '\(name)': use letters, digits, '-' and '_', starting with a letter"
        )
        continue
      }
      guard let table = table(value, path), let command = command(name, table, path) else {
        continue
      }
      noteLine(of: path)
      configuration.commands.append(command)
    }
  }

  private mutating func command(
    _ name: String, _ table: TOMLTable, _ path: [String]
  ) -> CustomCommand? {
    let count = problems.count
    var (key, words, title): (InputEvent.Key?, [String]?, String?)
    for (name, value) in table.entries {
      let path = path + [name]
      switch CommandSetting(rawValue: name) {
      case .key: key = string(value, path, such: "\"ctrl-t\"").flatMap { readKey($0, path) }
      case .command: words = readWords(value, path)
      case .description: title = string(value, path, such: "\"check the branch out\"")
      case nil: refuse(path, among: CommandSetting.allCases.map(\.rawValue), "setting of a command")
      }
    }
    guard problems.count == count else { return nil }
    guard let words else {
      note(path, isName: true, "'\(Self.name(path))' has no 'command'")
      return nil
    }
    return CustomCommand(name, key: key, words: words, title: title)
  }

  /// Reads the key of a command. It doesn't replace a built-in key, which would have no key then.
  private mutating func readKey(_ text: String, _ path: [String]) -> InputEvent.Key? {
    guard let key = KeyMap.key(text) else {
      note(path, Self.invalidKey(text))
      return nil
    }
    let own = configuration.commands.first { $0.key == key }
    if let other = configuration.keys.command(of: key) ?? own?.name {
      note(
        path,
        "the key \(KeyMap.name(key)) already means '\(other)': choose another"
          + (own == nil ? ", or give '\(other)' another key in [keys]" : ""))
      return nil
    }
    return key
  }

  private mutating func readWords(_ value: TOMLValue, _ path: [String]) -> [String]? {
    let example = "[\"gh\", \"pr\", \"checkout\", \"{number}\"]"
    // One string would look like a line for a shell.
    guard value.string == nil else {
      note(path, "'command' must be a list of words such as \(example): it isn't run by a shell")
      return nil
    }
    guard let words = strings(value, path, such: example) else { return nil }
    guard let program = words.first, !program.isEmpty, CustomCommand.names(in: program).isEmpty,
      program.first == "/" || !program.contains("/")
    else {
      note(path, "the first word must be a program: its name, or its path from /")
      return nil
    }
    let known = CustomCommand.Placeholder.allCases.map(\.rawValue)
    if let unknown = words.flatMap(CustomCommand.names).first(where: { !known.contains($0) }) {
      refuse("{\(unknown)}", at: path, among: known.map { "{\($0)}" }, "placeholder")
      return nil
    }
    return words
  }

  private static func invalidKey(_ text: String) -> String {
    "'\(text)' isn't a valid key: use a character, \"space\", or \"ctrl-\" and a letter "
      + "other than c, h, i, j, l, m, q, s and z"
  }

  private mutating func readThemes(_ value: TOMLValue) {
    guard let themes = table(value, ["themes"]) else { return }
    for (name, value) in themes.entries {
      guard let table = table(value, ["themes", name]) else { continue }
      var roles: [String: String] = [:]
      for (role, value) in table.entries {
        let path = ["themes", name, role]
        roles[role] = string(value, path, such: "\"bold cyan\"")
      }
      configuration.themes[name] = roles
      // The styles are parsed one by one, to find each invalid style.
      for role in roles {
        do throws(Theme.Problem) {
          _ = try Theme(name: name, [role.key: role.value])
        } catch {
          note(["themes", name, error.key], error.description)
        }
      }
      noteLine(of: ["themes", name])
    }
  }

  private mutating func readMirror(_ value: TOMLValue) {
    guard let table = table(value, ["mirror"]) else { return }
    for (name, value) in table.entries {
      let path = ["mirror", name]
      guard name == "sources" else {
        refuse(path, among: ["sources"], "setting of the mirror")
        continue
      }
      guard let words = strings(value, path, such: "[\"org:swiftlang\", \"apple/swift-*\"]") else {
        continue
      }
      for word in words {
        if let source = try? MirrorSource(word) {
          configuration.mirror.append(source)
        } else {
          note(
            path,
            "'\(word)' doesn't name any repositories: write OWNER/REPO, a pattern such as OWNER/swift-*, org:NAME, "
              + "mine or starred")
        }
      }
      noteLine(of: path)
    }
  }

  /// Reads the database. The text may contain a password, so messages don't include it.
  private mutating func readDatabase(_ value: TOMLValue) {
    let example = "\"service=issues\""
    guard let text = string(value, ["database"], such: example) else { return }
    guard let name = DatabaseName(text, from: .configuration) else {
      return note(
        ["database"],
        "'database' must be a PostgreSQL connection string such as \(example), or \"local\"")
    }
    configuration.database = name
    noteLine(of: ["database"])
  }

  private mutating func readForges(_ value: TOMLValue) {
    guard let table = table(value, ["forges"]) else { return }
    for (host, value) in table.entries {
      let path = ["forges", host]
      guard let server = try? GitHubServer(host: host) else {
        note(path, isName: true, "'\(host)' is not a host such as \"git.example.com\"")
        continue
      }
      guard let word = string(value, path, such: "\"forgejo\"") else { continue }
      guard let forge = Forge(rawValue: word) else {
        refuse(word, at: path, among: Forge.allCases.map(\.rawValue), "forge")
        continue
      }
      configuration.forges[server.host] = forge
      noteLine(of: path)
    }
  }

  // MARK: Views

  private enum ViewSetting: String, CaseIterable {
    case query, sort, repositories, limit
  }

  private mutating func readViews(_ value: TOMLValue) {
    guard let views = table(value, ["views"]) else { return }
    for (name, value) in views.entries {
      let path = ["views", name]
      guard MistypedCommand.looksLikeName(name), name != "me" else {
        let reason =
          name == "me"
          ? ", since @me is you" : ": use letters, digits, '-' and '_', starting with a letter"
        note(path, "a view can't be called '\(name)'\(reason)")
        continue
      }
      guard let table = table(value, path), let view = view(name, table, path) else { continue }
      noteLine(of: path)
      configuration.views.append(view)
    }
  }

  private mutating func view(_ name: String, _ table: TOMLTable, _ path: [String]) -> SavedView? {
    let count = problems.count
    var query = "is:open"
    var (sort, limit): (String?, Int?)
    var place = SavedView.Place.here
    for (name, value) in table.entries {
      let path = path + [name]
      switch ViewSetting(rawValue: name) {
      case .query:
        guard let text = string(value, path, such: "\"is:open label:bug\"") else { continue }
        query = readQuery(text, path)
      case .sort: sort = readSort(value, path)
      case .repositories: place = readPlace(value, path) ?? .here
      case .limit:
        limit = value.integer
        if limit.map({ $0 < 1 }) ?? true {
          note(path, "'limit' must be an integer of at least 1")
        }
      case nil: refuse(path, among: ViewSetting.allCases.map(\.rawValue), "setting of a view")
      }
    }
    if QueryWord.namesPlace(query), place != .here {
      note(
        path + ["repositories"], "the query names its own repositories: leave out 'repositories'")
    }
    if sort != nil, QueryWord.tellsOrder(query) {
      note(path + ["sort"], "the query has its own order: leave out 'sort'")
    }
    guard problems.count == count else { return nil }
    if QueryWord.namesPlace(query) { place = .everywhere }
    return SavedView(name: name, query: query, sort: sort, place: place, limit: limit)
  }

  private mutating func readQuery(_ text: String, _ path: [String]) -> String {
    let query = text.split { $0.isNewline }.joined(separator: " ")
    do throws(InvalidInput) {
      if QueryWord.namesPlace(query) {
        try GitHubQualifier.check(query, inOneRepository: false)
      } else if (try? IssueFilter(query: query)) == nil {
        _ = try ListQuery.Search(query)
      }
    } catch {
      note(path, error.message)
    }
    return query
  }

  private mutating func readSort(_ value: TOMLValue, _ path: [String]) -> String? {
    guard let text = string(value, path, such: "\"updated\"") else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    let known = IssueFilter.Sort.allCases.map(\.rawValue)
    guard parts.count <= 2, known.contains(parts[0]) else {
      let advice =
        MistypedCommand.nearest(to: parts[0], among: known).map { "did you mean '\($0)'?" }
        ?? "there are \(known.joined(separator: ", "))"
      note(path, "there is no order '\(text)'; \(advice)")
      return nil
    }
    let direction = parts.count == 2 ? parts[1] : IssueFilter.Direction.descending.rawValue
    guard IssueFilter.Direction(rawValue: direction) != nil else {
      note(path, "an order must end in -asc or -desc, not in -\(direction)")
      return nil
    }
    return "\(parts[0])-\(direction)"
  }

  private mutating func readPlace(
    _ value: TOMLValue, _ path: [String]
  ) -> SavedView.Place? {
    guard let names = strings(value, path, such: "[\"apple/swift\"], or \"all\"") else {
      return nil
    }
    if names == ["all"] { return .everywhere }
    var references: [RepositoryReference] = []
    for name in names {
      do throws(InvalidInput) {
        references.append(try RepositoryReference(parsing: name))
      } catch {
        note(path, "'\(name)' isn't a repository: write OWNER/REPO, or HOST/OWNER/REPO")
        return nil
      }
    }
    guard !references.isEmpty else {
      note(path, "'repositories' is empty: leave it out to use the current repository")
      return nil
    }
    guard Set(references.map(\.host)).count == 1 else {
      note(path, "a view's repositories must be on one host")
      return nil
    }
    return .repositories(references)
  }
}
