internal import IssueBrowser

/// The user's configuration.
struct Configuration: Sendable, Hashable {
  enum Setting: String, CaseIterable, Sendable {
    case theme, refresh, columns, plain, images, keys, themes, views, mirror, database
  }

  static let usualRefresh = Duration.seconds(180)

  /// Nil for the theme that matches the terminal's background.
  var theme: String?
  /// The user's own themes: style texts by the names of roles.
  var themes: [String: [String: String]] = [:]
  /// Nil for the default interval; zero for never.
  var refresh: Duration?
  /// Nil for the default columns.
  var columns: [ListColumn]?
  /// Whether the screen uses plain mode, in words.
  var plain = false
  /// Whether the screen shows images if the terminal can.
  var images = false
  var keys = KeyMap()
  /// In the order of the file.
  var views: [SavedView] = []
  /// The sources that 'issues sync --all' mirrors.
  var mirror: [MirrorSource] = []
  /// nil for the mirror on this machine.
  var database: DatabaseName?

  /// The user's own themes take precedence over the program's. The reader has rejected other names.
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
