/// The HTML that is open.
struct HTMLState {
  /// How many elements that change how text looks may be open at once.
  private static let maximumFormats = 64

  /// The elements that change how text looks, and what they change.
  private var formats: [(element: String, trait: InlineLook.Trait)] = []
  /// The numbers of the next items of the lists that are open; nil for those without numbers.
  var lists: [Int?] = []
  /// Whether blanks and line breaks count.
  var isPreformatted = false

  /// Notes an element that is open.
  ///
  /// - Returns: Whether it counts: too many don't.
  mutating func open(_ element: String, _ trait: InlineLook.Trait) -> Bool {
    guard formats.count < Self.maximumFormats else { return false }
    formats.append((element, trait))
    return true
  }

  /// Ends the last element of a name.
  ///
  /// - Returns: What it changed; nil where none of the name is open.
  mutating func close(_ element: String) -> InlineLook.Trait? {
    guard let index = formats.lastIndex(where: { $0.element == element }) else { return nil }
    return formats.remove(at: index).trait
  }

  /// Ends all elements.
  ///
  /// - Returns: What they changed.
  mutating func closeAll() -> [InlineLook.Trait] {
    defer { formats = [] }
    return formats.map(\.trait)
  }
}
