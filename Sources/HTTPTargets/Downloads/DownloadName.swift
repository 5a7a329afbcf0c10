internal import HTTPTypes

/// The name of a downloaded file.
package enum DownloadName {
  /// The name that the response proposes, or else the last segment of its URL. The name is safe inside a folder: it has
  /// no slashes, leading dots or invisible characters, and at most 200 bytes.
  package static func name(for response: TargetResponse) -> String {
    let path = response.request.url.prefix { $0 != "?" && $0 != "#" }
    let segment = path.split(separator: "/").dropFirst(2).last ?? ""
    return response.headers[.contentDisposition].flatMap(proposed(in:)).flatMap(safe)
      ?? safe(PercentEncoding.decode(segment)) ?? "download"
  }

  /// The name with a number: `name.gz`, `name-2.gz`, `name-3.gz`, and so on.
  static func variant(_ number: Int, of name: String) -> String {
    guard number > 1 else { return name }
    let (stem, suffix) = parts(of: name)
    return "\(stem)-\(number)\(suffix)"
  }

  /// The `filename*` of the field, or else its `filename` ([RFC 6266, section
  /// 4.3](https://www.rfc-editor.org/rfc/rfc6266#section-4.3)).
  static func proposed(in field: String) -> String? {
    let parameters = parameters(of: field)
    return parameters["filename*"].flatMap(decoded) ?? parameters["filename"]
  }

  /// A name that is safe inside a folder; nil if nothing is left.
  package static func safe(_ name: String) -> String? {
    let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? []
    var trimmed = String.UnicodeScalarView(last.filter(isVisible)).drop { $0 == "." || $0 == " " }
    while trimmed.last == "." || trimmed.last == " " { trimmed.removeLast() }
    guard !trimmed.isEmpty else { return nil }
    var (stem, suffix) = parts(of: String(trimmed))
    while stem.utf8.count + suffix.utf8.count > 200 { stem.removeLast() }
    return stem + suffix
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
    default: true
    }
  }

  /// Splits a name into its stem and its last suffix, if that is short.
  private static func parts(of name: String) -> (stem: String, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 16
    else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }

  /// The parameters of a field (RFC 9110, section 5.6.6). If a name repeats, the first parameter is used.
  private static func parameters(of field: String) -> [String: String] {
    var parameters: [String: String] = [:]
    var rest = field.unicodeScalars.drop { $0 != ";" }
    while !rest.isEmpty {
      rest = rest.drop { $0 == ";" || $0 == " " || $0 == "\t" }
      let name = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest[name.endIndex...]
      guard rest.popFirst() == "=" else { continue }
      let value = value(from: &rest)
      let key = String(name).lowercased().filter { $0 != " " && $0 != "\t" }
      parameters[key] = parameters[key] ?? value
    }
    return parameters
  }

  private static func value(from rest: inout Substring.UnicodeScalarView) -> String {
    rest = rest.drop { $0 == " " || $0 == "\t" }
    guard rest.first == "\"" else {
      let token = rest.prefix { $0 != ";" && $0 != " " }
      rest = rest[token.endIndex...].drop { $0 != ";" }
      return String(token)
    }
    rest.removeFirst()
    var value = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\"" {
      value.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
    }
    rest = rest.drop { $0 != ";" }
    return String(value)
  }

  /// Decodes a value such as `UTF-8'en'%e2%82%ac%20rates` ([RFC 8187, section
  /// 3.2](https://www.rfc-editor.org/rfc/rfc8187#section-3.2)).
  private static func decoded(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
    return PercentEncoding.decode(parts[2])
  }
}
