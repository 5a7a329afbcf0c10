internal import IssueBrowser
internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// The report of `issues config` about the configuration file.
struct ConfigurationReport: Sendable {
  enum Field: String, CaseIterable, Sendable {
    case path
    case exists
    case theme, refresh, columns, plain, images, keys, commands, themes, views, mirror, database
    case forges, problems
  }

  private let file: ConfigurationFile
  private let exists: Bool
  private let configuration: Configuration
  private let lines: [String: Int]
  private let problems: [ConfigurationProblem]

  init(of file: ConfigurationFile) {
    self.file = file
    var result: ConfigurationReader.Result = (Configuration(), [], [:])
    do throws(ConfigurationProblem) {
      let text = try file.text()
      exists = text != nil
      if let text { result = ConfigurationReader.read(text) }
    } catch {
      exists = true
      result.problems = [error]
    }
    (configuration, problems, lines) = result
  }

  /// Writes the problems to standard error, and throws if there are any.
  func fail(_ session: CommandSession) throws(CommandFailure) {
    guard !problems.isEmpty else { return }
    for problem in problems { session.errors.write(problem.text(in: file.path)) }
    let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
    throw CommandFailure(.configuration, "the configuration has \(count)")
  }

  func write(to session: CommandSession, fields: JSONFields?) async throws {
    if let fields {
      return try await JSONSink.write(
        JSONObject(encoding: EncodedObject(Field.self, value)), fields, to: session)
    }
    let style = session.style
    guard style.layout == .table else {
      return try await session.output.write(
        TSV(color: style.color).page([[StyledLine("file"), StyledLine(file.path)]] + rows))
    }
    let path = exists ? file.path : "\(file.path), which doesn't exist yet"
    var table = Table(
      columns: [
        Column(title: "SETTING", sizing: .whole),
        Column(title: "VALUE", sizing: .flexible(minimum: 24)),
        Column(title: "LINE", sizing: .whole, dropOrder: 0),
      ], width: style.width, color: style.color)
    try await session.output.write("\n\(TerminalText(path))\n\n\(table.page(rows))")
  }

  // MARK: Rows

  private var rows: [[StyledLine]] {
    Configuration.Setting.allCases.flatMap { setting in
      values(of: setting).map { name, value in
        [
          StyledLine(name, style: .heading), StyledLine(value),
          StyledLine(lines[name].map(String.init) ?? "default", style: .faint),
        ]
      }
    }
  }

  private func values(of setting: Configuration.Setting) -> [(name: String, value: String)] {
    let name = setting.rawValue
    switch setting {
    case .theme: return [(name, configuration.theme ?? "by the terminal's background")]
    case .refresh: return [(name, Self.words(configuration.refresh ?? Configuration.usualRefresh))]
    case .columns:
      return [(name, configuration.columns.map(Self.words) ?? "those that fit")]
    case .plain: return [(name, "\(configuration.plain)")]
    case .images: return [(name, "\(configuration.images)")]
    case .keys:
      return configuration.keys.chosen.sorted { $0.key < $1.key }.map { command, keys in
        ("\(name).\(command)", keys.map(KeyMap.name).joined(separator: " "))
      }
    case .commands:
      return configuration.commands.map { command in
        let key = command.key.map { "\(KeyMap.name($0)): " } ?? ""
        return ("\(name).\(command.name)", key + command.words.joined(separator: " "))
      }
    case .themes:
      return configuration.themes.sorted { $0.key < $1.key }.map { theme, roles in
        ("\(name).\(theme)", "\(roles.count) \(roles.count == 1 ? "role" : "roles")")
      }
    case .views:
      return configuration.views.map { ("\(name).\($0.name)", $0.text + $0.placeWords) }
    case .mirror:
      let words = configuration.mirror.map(\.word)
      return words.isEmpty ? [] : [("\(name).sources", words.joined(separator: " "))]
    case .database: return configuration.database.map { [(name, $0.shown)] } ?? []
    case .forges:
      return configuration.forges.sorted { $0.key < $1.key }.map { host, forge in
        ("\(name).\(host)", forge.rawValue)
      }
    }
  }

  private static func words(_ columns: [ListColumn]) -> String {
    columns.isEmpty ? "none" : columns.map(\.rawValue).joined(separator: ", ")
  }

  private static func words(_ refresh: Duration) -> String {
    let seconds = refresh.components.seconds
    if seconds == 0 { return "never" }
    return seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
  }

  // MARK: JSON

  private func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .path: file.path
    case .exists: exists
    case .theme: configuration.theme
    case .refresh: (configuration.refresh ?? Configuration.usualRefresh).components.seconds
    case .columns: configuration.columns?.map(\.rawValue)
    case .plain: configuration.plain
    case .images: configuration.images
    case .keys: configuration.keys.chosen.mapValues { $0.map(KeyMap.name) }
    case .commands: configuration.commands.map(Self.object)
    case .themes: configuration.themes
    case .views: configuration.views.map(Self.object)
    case .mirror: configuration.mirror.map(\.word)
    case .database: configuration.database?.shown
    case .forges: configuration.forges.mapValues(\.rawValue)
    case .problems: problems
    }
  }

  private static func object(_ command: CustomCommand) -> EncodedObject {
    [
      "name": command.name, "key": command.key.map(KeyMap.name), "command": command.words,
      "description": command.title,
    ]
  }

  private static func object(_ view: SavedView) -> EncodedObject {
    let places: [String]? =
      if case .repositories(let list) = view.place { list.map(\.description) } else { nil }
    return [
      "name": view.name, "query": view.query, "sort": view.sort, "repositories": places,
      "everywhere": view.place == .everywhere, "limit": view.limit,
    ]
  }
}
