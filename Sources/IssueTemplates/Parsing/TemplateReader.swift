/// The unknown parts of a template. GitHub's page shows some templates with such parts, so the rest of the template is
/// used.
final class TemplateNotes {
  var passedOver: [TemplateError] = []
}

/// Reads the members of a mapping, and adds the location to errors.
struct TemplateReader {
  let file: String
  let notes: TemplateNotes
  /// The location within the file, such as `body[2]`; empty for the top level.
  let place: String
  let line: Int
  private let members: [YAMLValue.Member]

  init(
    _ value: YAMLValue, file: String, place: String = "", notes: TemplateNotes
  ) throws(TemplateError) {
    guard case .mapping(let members, let line) = value else {
      throw Self.error(file, value.line, place, "keys with values are expected")
    }
    (self.file, self.place, self.line, self.members) = (file, place, line, members)
    self.notes = notes
  }

  func error(_ problem: String, line: Int? = nil) -> TemplateError {
    Self.error(file, line ?? self.line, place, problem)
  }

  private static func error(
    _ file: String, _ line: Int, _ place: String, _ problem: String
  ) -> TemplateError {
    TemplateError(
      file: file, line: line, problem: place.isEmpty ? problem : "\(place): \(problem)")
  }

  func passOver(allBut keys: String...) {
    for member in members where !keys.contains(member.key) {
      notes.passedOver.append(
        error("“\(member.key)” is not a permitted key", line: member.line))
    }
  }

  /// Returns nil and records the reason if the value can't be read.
  func readable<Value>(_ read: () throws(TemplateError) -> Value?) -> Value? {
    do throws(TemplateError) {
      return try read()
    } catch {
      notes.passedOver.append(error)
      return nil
    }
  }

  /// The value of a key; nil if it is missing or null.
  func value(_ key: String) -> YAMLValue? {
    members.first { $0.key == key }.flatMap { $0.value.isNull ? nil : $0.value }
  }

  /// The text of a key. Unquoted words such as `yes` aren't text.
  func text(_ key: String) throws(TemplateError) -> String? {
    guard let value = value(key) else { return nil }
    return try text(of: value, "“\(key)”")
  }

  func requiredText(_ key: String) throws(TemplateError) -> String {
    guard let text = try text(key) else { throw error("the key “\(key)” is missing") }
    guard !text.allSatisfy(\.isWhitespace) else {
      throw error("“\(key)” is empty", line: value(key)?.line)
    }
    return text
  }

  func text(of value: YAMLValue, _ name: String) throws(TemplateError) -> String {
    guard case .scalar(let text, _, let line) = value else {
      throw error("\(name) must be text", line: value.line)
    }
    if value.boolean != nil {
      throw error("\(name) must be text: put “\(text)” in quotation marks", line: line)
    }
    return text
  }

  func boolean(_ key: String) throws(TemplateError) -> Bool? {
    guard let value = value(key) else { return nil }
    guard let boolean = value.boolean else {
      throw error("“\(key)” must be true or false", line: value.line)
    }
    return boolean
  }

  func list(_ key: String) throws(TemplateError) -> [YAMLValue]? {
    guard let value = value(key) else { return nil }
    guard case .list(let values, _) = value else {
      throw error("“\(key)” must be a list", line: value.line)
    }
    return values
  }

  /// The names in a list, or in comma-separated text.
  func names(_ key: String) throws(TemplateError) -> [String] {
    guard let value = value(key) else { return [] }
    var names: [String] = []
    if case .list(let values, _) = value {
      for value in values { names.append(try text(of: value, "a value of “\(key)”")) }
    } else {
      names = try text(of: value, "“\(key)”").split(separator: ",").map(String.init)
    }
    return names.map { $0.trimmed }.filter { !$0.isEmpty }
  }

  /// The text of a key; nil if it is missing, unreadable or empty.
  func nonemptyText(_ key: String) -> String? {
    readable { () throws(TemplateError) in try text(key) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  func readableNames(_ key: String) -> [String] {
    readable { () throws(TemplateError) in try names(key) } ?? []
  }

  func reader(_ key: String) throws(TemplateError) -> TemplateReader? {
    guard let value = value(key) else { return nil }
    return try TemplateReader(
      value, file: file, place: place.isEmpty ? key : "\(place).\(key)", notes: notes)
  }
}

extension StringProtocol {
  var trimmed: String {
    var scalars = Substring(self).unicodeScalars
    while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return String(scalars)
  }
}
