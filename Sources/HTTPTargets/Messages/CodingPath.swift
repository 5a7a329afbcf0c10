extension [any CodingKey] {
  /// The place in a document, such as `[2].labels[0].name`; empty for the whole of it.
  var place: String {
    map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
  }
}
