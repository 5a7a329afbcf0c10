/// A quotation that GitHub shows as a colored box, by the first line of its source: `[!WARNING]`
/// (<https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts>).
enum Alert: String, Sendable, CaseIterable {
  case note = "Note"
  case tip = "Tip"
  case important = "Important"
  case warning = "Warning"
  case caution = "Caution"

  /// Reads a marker such as `[!WARNING]`, in uppercase or lowercase.
  init?(marker: String) {
    // Longer text can't be a marker, so it isn't copied.
    guard marker.utf8.count <= 16, marker.hasPrefix("[!"), marker.hasSuffix("]") else {
      return nil
    }
    let name = marker.dropFirst(2).dropLast()
    guard let alert = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
    else { return nil }
    self = alert
  }
}
