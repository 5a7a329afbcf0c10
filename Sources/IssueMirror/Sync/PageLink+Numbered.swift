internal import GitHubAPI

extension PageLink {
  /// Whether it leads to a page by its number alone: to one that begins elsewhere when an entry before it
  /// moves. A cursor names an entry to go on behind.
  var isNumbered: Bool {
    guard let begin = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
    let names = url[begin...].dropFirst().split(separator: "&").map { $0.prefix { $0 != "=" } }
    return names.contains("page") && !names.contains("after")
  }
}
