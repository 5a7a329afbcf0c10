/// A line of text that is being edited.
package struct TextField: Sendable, Hashable {
  /// The text, as it was typed or pasted.
  package private(set) var text: String
  /// Where the next character goes, counted in characters from 0.
  package private(set) var cursor: Int

  /// Creates a field with the cursor at the end of its text.
  package init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }
}
