/// The choice of a mirror: a connection string, which only libpq parses, or the word `local`.
struct DatabaseName: Sendable, Hashable {
  enum Origin: Sendable, Hashable {
    case option
    case variable
    case configuration
  }

  static let variable = "ISSUES_DATABASE"

  static let expectation =
    "postgres://USER@HOST/DATABASE, 'host=HOST dbname=DATABASE', service=NAME, or local for the mirror on this machine"

  static let passwordAdvice = """
    others on this machine can see a password in an argument. Keep it in ~/.pgpass (PGPASSFILE), in a service file, or \
    in PGPASSWORD.
    """

  let text: String
  let origin: Origin

  /// Reads a name; nil for text that can't be a connection string.
  init?(_ text: String, from origin: Origin) {
    let isAddress = ["postgres://", "postgresql://"].contains { text.hasPrefix($0) }
    guard text == "local" || isAddress || text.contains("="), !text.utf8.contains(0) else {
      return nil
    }
    self.text = text
    self.origin = origin
  }

  /// Whether the name means the mirror on this machine.
  var isLocal: Bool { text == "local" }

  /// Whether the text may contain a password. Only libpq can be certain that it doesn't.
  var showsPassword: Bool {
    if text.lowercased().contains("password=") { return true }
    guard let scheme = Self.scheme(of: text) else { return false }
    let user = text.dropFirst(scheme.count).prefix { $0 != "@" && $0 != "/" }
    return user.endIndex < text.endIndex && text[user.endIndex] == "@" && user.contains(":")
  }

  /// The text to show, without any possible password: it shows too little rather than too much.
  var shown: String {
    guard let scheme = Self.scheme(of: text) else { return shownSettings }
    let rest = text.dropFirst(scheme.count)
    // A password may contain another `@`, unescaped.
    guard let mark = rest.lastIndex(of: "@") else { return "\(scheme)\(rest.prefix { $0 != "?" })" }
    let user = rest[..<mark].prefix { $0 != ":" }
    return "\(scheme)\(user)\(rest[mark...].prefix { $0 != "?" })"
  }

  private static func scheme(of text: String) -> String? {
    ["postgres://", "postgresql://"].first { text.hasPrefix($0) }
  }

  /// The settings to show: only those that describe the location, and only values without quotation marks.
  private var shownSettings: String {
    let known = ["dbname", "host", "hostaddr", "port", "service", "user"]
    guard !text.contains("'"), !text.contains("\\") else { return "…" }
    let words = text.split(whereSeparator: \.isWhitespace)
    let isKnown = words.allSatisfy { word in
      let parts = word.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && known.contains(String(parts[0])) && !parts[1].contains("://")
    }
    guard !isLocal, !isKnown else { return text }
    return words.filter { $0.hasPrefix("service=") || $0.hasPrefix("host=") }.joined(separator: " ")
      + " …"
  }
}
