public import HTTPTypes

/// What must not be shown or sent on: the names that mark secrets, and the masking of them.
public enum Redaction {
  static let mask = "[redacted]"

  /// Whether a header field carries credentials: `Authorization`, `Proxy-Authorization`, cookies, and
  /// every name with `token`, `key`, `secret` or `password` in it.
  public static func isSecret(_ name: HTTPField.Name) -> Bool {
    switch name.canonicalName {
    case "authorization", "proxy-authorization", "cookie", "set-cookie", "x-github-otp": true
    default: isSecret(parameter: name.canonicalName)
    }
  }

  static func isSecret(parameter name: some StringProtocol) -> Bool {
    let name = name.lowercased()
    return ["token", "key", "secret", "password", "authorization", "signature"]
      .contains { name.contains($0) }
  }

  /// The value of a header field as it may be shown.
  public static func value(of field: HTTPField) -> String {
    isSecret(field.name) ? mask : url(field.value)
  }

  /// A URL as it may be shown: without user info, and with the values of secret query items masked.
  /// Text that isn't a URL comes back as it is.
  public static func url(_ url: String) -> String {
    var rest = url[...]
    var shown = ""
    if let scheme = rest.firstRange(of: "://") {
      shown += rest[..<scheme.upperBound]
      rest = rest[scheme.upperBound...]
      let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      if let at = authority.lastIndex(of: "@") {
        shown += "\(mask)@"
        rest = rest[rest.index(after: at)...]
      }
    }
    guard let mark = rest.firstIndex(of: "?") else { return shown + rest }
    shown += rest[...mark]
    let items = rest[rest.index(after: mark)...].split(
      separator: "&", omittingEmptySubsequences: false)
    shown += items.map { item -> String in
      guard let equals = item.firstIndex(of: "="), isSecret(parameter: item[..<equals]) else {
        return String(item)
      }
      return "\(item[...equals])\(mask)"
    }.joined(separator: "&")
    return shown
  }
}
