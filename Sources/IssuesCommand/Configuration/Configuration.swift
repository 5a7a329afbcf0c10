internal import IssueBrowser
internal import IssueTracker

struct Configuration: Sendable, Hashable {
  enum Setting: String, CaseIterable, Sendable {
    case theme, refresh, columns, plain, images, keys, commands, themes, views, mirror, database,
      forges
  }

  static let usualRefresh = Duration.seconds(180)

  /// The theme; nil for the theme that matches the terminal's background.
  var theme: String?
  /// The user's own themes: styles in words, by the names of roles.
  var themes: [String: [String: String]] = [:]
  /// The refresh interval; nil for the default, and zero for never.
  var refresh: Duration?
  /// The columns; nil for the default columns.
  var columns: [ListColumn]?
  /// Whether the screen uses plain mode.
  var plain = false
  /// Whether the screen shows images if the terminal supports them.
  var images = false
  var keys = KeyMap()
  /// The user's own commands of the screen, in the order of the file.
  var commands: [CustomCommand] = []
  /// The views in the order of the file.
  var views: [SavedView] = []
  /// The sources that 'issues sync --all' mirrors.
  var mirror: [MirrorSource] = []
  /// The team's mirror; nil for the mirror on this machine.
  var database: DatabaseName?
  /// What the user's servers are, by host.
  var forges: [String: Forge] = [:]

  /// The theme of the screen. The user's own themes take precedence over the built-in ones. The reader has rejected
  /// unknown names.
  var screenTheme: Theme {
    guard let theme else { return .standard }
    let own = themes[theme].flatMap { try? Theme(name: theme, $0) }
    return own ?? Theme.named(theme) ?? .standard
  }

  func view(named name: String) throws(CommandFailure) -> SavedView {
    if let view = views.first(where: { $0.name == name }) { return view }
    let names = views.map(\.name)
    let advice =
      if let nearest = MistypedCommand.nearest(to: name, among: names) {
        "Did you mean @\(nearest)?"
      } else if names.isEmpty {
        "The configuration has no views: 'issues config edit' adds one."
      } else {
        "The configuration has \(names.map { "@\($0)" }.joined(separator: ", "))."
      }
    throw CommandFailure(.usage, "there is no view @\(name)\n\(advice)")
  }
}
