/// An http or https URL, split at its authority and read the narrow way: see ``Origin/init(url:)``.
package struct AbsoluteURL {
  /// Where a request for the URL goes.
  package let origin: Origin
  /// What follows the authority: path, query and fragment, as they are.
  package let rest: Substring

  /// Splits a URL; nil when it is none, or when two readers could take it for different ones.
  package init?(_ text: String) {
    guard
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    let scheme = text[..<colon].lowercased()
    let afterScheme = text[text.index(after: colon)...]
    guard scheme == "https" || scheme == "http", afterScheme.hasPrefix("//") else { return nil }
    let afterSlashes = afterScheme.dropFirst(2)
    let end = afterSlashes.firstIndex { "/?#".contains($0) } ?? afterSlashes.endIndex
    guard let host = HostName(afterSlashes[..<end]) else { return nil }
    origin = Origin(scheme: scheme, host: host)
    rest = afterSlashes[end...]
  }
}
