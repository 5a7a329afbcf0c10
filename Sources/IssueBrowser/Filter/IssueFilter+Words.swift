internal import IssueTracker

extension IssueFilter {
  /// The filter in words, such as `open issues, labelled bug, by octocat`.
  func words(_ symbols: Symbols) -> String {
    var words = [kind]
    if !labels.isEmpty {
      words.append("labelled \(labels.map(symbols.quoted).joined(separator: " and "))")
    }
    if let creator { words.append("by \(creator)") }
    switch assignee {
    case .user(let user): words.append("assigned to \(user)")
    case .anybody: words.append("assigned to anyone")
    case .nobody: words.append("assigned to no one")
    case nil: break
    }
    if let mentioned { words.append("mentioning \(mentioned)") }
    switch milestone {
    case .number(let number): words.append("in milestone \(number)")
    case .title(let title): words.append("in milestone \(symbols.quoted(title))")
    case .any: words.append("in any milestone")
    case .absent: words.append("in no milestone")
    case nil: break
    }
    switch type {
    case .named(let name): words.append("of the type \(symbols.quoted(name))")
    case .any: words.append("of any type")
    case .absent: words.append("without a type")
    case nil: break
    }
    words += fields.map { "with \($0.field) \(symbols.quoted($0.value))" }
    if let since { words.append("updated since \(Timestamp.string(from: since).prefix(10))") }
    return words.joined(separator: ", ")
  }

  var kind: String { state == .all ? "all issues" : "\(state.rawValue) issues" }

  var isNarrow: Bool {
    self != IssueFilter(state: state, sort: sort, direction: direction)
  }
}
