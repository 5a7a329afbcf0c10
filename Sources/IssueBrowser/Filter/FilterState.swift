internal import IssueTracker

/// The filter while it is being typed, and the menu of orders.
package struct FilterState: Sendable, Hashable {
  /// The field, in the syntax of GitHub's search; nil while no filter is being typed.
  package var field: TextField?
  package var problem: String?
  package var completions: Completions?
  /// The names in the filtered list.
  private(set) var names = FilterNames()
  /// The names in each list whose labels and milestones were requested.
  private(set) var known: [ListScope: FilterNames] = [:]
  /// The list from before the filter was typed, while the list follows the filter. Esc restores it.
  var unfiltered: ListState.Kept?
  /// The menu of orders; nil while it is closed.
  package var orders: OrderMenu?

  /// Opens the field with the filter of a list and the names in its rows.
  mutating func open(_ text: String, in scope: ListScope, _ rows: [GitHub.Issue]) {
    close()
    // With a space at the end, the user can type the next word at once.
    field = TextField(text.isEmpty || text.hasSuffix(" ") ? text : text + " ")
    names = FilterNames(of: rows)
    if let known = known[scope] { names.add(known) }
    // Names are requested again if they didn't arrive.
    if known[scope] == FilterNames() { known[scope] = nil }
  }

  mutating func close() {
    field = nil
    problem = nil
    unfiltered = nil
    completions = nil
  }

  /// Offers completions. Returns whether the repositories' names must be loaded.
  mutating func offerCompletions(in scope: ListScope?) -> Bool {
    completions = nil
    guard let field, let completion = FilterCompletion(before: field) else { return false }
    let predictions = completion.predictions(names)
    if !predictions.isEmpty { completions = Completions(predictions: predictions) }
    guard completion.needsNames, let scope, known[scope] == nil else { return false }
    // The empty value prevents a second request before they arrive.
    known[scope] = FilterNames()
    return true
  }

  /// Adds loaded names. They are for the filtered list or for another one.
  mutating func take(_ names: FilterNames, of scope: ListScope, isFiltered: Bool) {
    known[scope] = names
    guard field != nil, isFiltered else { return }
    self.names.add(names)
    _ = offerCompletions(in: scope)
  }

  /// Accepts a completion: the one at the index, or else the selected one, or else the first. Returns whether one was
  /// accepted.
  mutating func complete(_ index: Int?) -> Bool {
    guard let text = field, let completion = FilterCompletion(before: text), let completions
    else { return false }
    let index = index ?? completions.selection ?? 0
    guard completions.predictions.indices.contains(index) else { return false }
    field?.replace(completion.range, with: completions.predictions[index].text)
    problem = nil
    return true
  }

  /// Whether Enter accepts the first completion: none is selected, and the value isn't a known one. A login may exist
  /// even if no loaded issue has it.
  var entersCompletion: Bool {
    guard let completions, completions.selection == nil, let field,
      let word = FilterCompletion(before: field)?.word, !word.name.isEmpty
    else { return false }
    let isLogin = ["author", "assignee", "mentions", "involves", "commenter"].contains(word.name)
    return !isLogin || word.value.isEmpty || word.value.hasPrefix("@")
  }

  /// The list for the text typed so far; nil if the text can't be parsed. The word at the cursor counts only once it is
  /// finished.
  func typedQuery(in scope: ListScope, isOffline: Bool) -> ListQuery? {
    func read(_ text: String) -> ListQuery? {
      guard let query = try? ListQuery.filtered(text, in: scope) else { return nil }
      if isOffline, case .searched(_, let search) = query,
        (try? search.inMirror(login: nil)) == nil
      {
        return nil
      }
      return query
    }
    guard let field else { return nil }
    let completion = FilterCompletion(before: field)
    if completion?.isHalfTyped(names) != true, let query = read(field.text) { return query }
    guard let start = completion?.range.lowerBound else { return nil }
    var text = field.text
    let word = FilterWord.words(of: text).first {
      text.distance(from: text.startIndex, to: $0.range.lowerBound) == start
    }
    if let word { text.removeSubrange(word.range) }
    return read(text)
  }
}
