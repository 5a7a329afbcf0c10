/// Which part of a whole a 206 carries
/// ([RFC 9110, section 14.4](https://www.rfc-editor.org/rfc/rfc9110#section-14.4)).
struct ContentRange: Equatable {
  let first: Int
  let last: Int
  /// The length of the whole.
  let total: Int

  /// Reads `bytes 100-199/200`; nil for anything else, an unknown length included.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2, let total = Int(digits: sides[1]) else { return nil }
    let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int(digits: ends[0]), let last = Int(digits: ends[1]),
      first <= last, last < total
    else { return nil }
    self.first = first
    self.last = last
    self.total = total
  }
}

extension Int {
  /// Reads a number that is nothing but digits: `Int` alone would read `+1` as well.
  init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text) else {
      return nil
    }
    self = number
  }
}
