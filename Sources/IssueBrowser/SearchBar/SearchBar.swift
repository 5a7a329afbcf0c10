package import IssueTracker

/// The text of the search bar, and the possible completions.
package struct SearchBar: Sendable, Hashable {
  private static let maximumCompletions = 10

  package var field = TextField()
  package var completions: Completions?

  package var text: String { field.text }

  /// Offers names other than the typed one. A selected name stays selected.
  mutating func offer(_ predictions: [Prediction]) {
    let typed = text.lowercased()
    let news = predictions.filter { $0.text.lowercased() != typed }.prefix(Self.maximumCompletions)
    let selected = completions.flatMap { shown in
      shown.selection.map { shown.predictions[$0].text }
    }
    completions =
      news.isEmpty
      ? nil
      : Completions(
        predictions: Array(news), selection: news.firstIndex { $0.text == selected })
  }
}

/// The possible completions of the typed text.
package struct Completions: Sendable, Hashable {
  package var predictions: [Prediction] = []
  package var selection: Int?

  var next: Int { min((selection ?? -1) + 1, predictions.count - 1) }

  /// The index of the previous completion; nil for the typed text.
  var previous: Int? { selection.flatMap { $0 > 0 ? $0 - 1 : nil } }
}
