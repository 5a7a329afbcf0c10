internal import IssueTracker

/// Completes a label, author or assignee before the cursor, such as `label:bu`, from the loaded issues.
enum FilterCompletion {
  static func completed(_ field: TextField, from issues: [Issue]) -> TextField {
    guard let word = Word(before: field) else { return field }
    let values = issues.lazy.flatMap { issue in
      switch word.name {
      case "label": issue.labels.map(\.name)
      case "author": [issue.user?.login].compactMap { $0 }
      default: issue.assignees.map(\.login)
      }
    }
    let beginning = word.value.lowercased()
    guard
      let value = values.first(where: { value in
        value.lowercased().hasPrefix(beginning) && value.count > beginning.count && isPlain(value)
      })
    else { return field }
    var completed = field
    let quoted = value.contains { $0.isWhitespace } ? "\"\(value)\"" : value
    completed.replace(word.start..<field.cursor, with: "\(word.name):\(quoted)")
    return completed
  }

  /// Whether it can be typed: no quotes, escapes, controls or invisible characters.
  private static func isPlain(_ value: String) -> Bool {
    var field = TextField()
    field.insert(value)
    return field.text == value && !value.contains { $0 == "\"" || $0 == "\\" }
  }

  /// A `name:value` word, as typed so far.
  private struct Word {
    var start: Int
    var name: String
    var value: String

    init?(before field: TextField) {
      let text = Array(field.textBeforeCursor)
      var (start, isQuoted) = (0, false)
      for (index, character) in text.enumerated() {
        if character == "\"" { isQuoted.toggle() }
        if character == " ", !isQuoted { start = index + 1 }
      }
      let parts = String(text[start...]).split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, ["label", "author", "assignee"].contains(parts[0]) else { return nil }
      self.start = start
      name = String(parts[0])
      value = String(parts[1].drop { $0 == "\"" })
      // After its closing quote, a value is complete.
      if value.contains("\"") { return nil }
    }
  }
}
