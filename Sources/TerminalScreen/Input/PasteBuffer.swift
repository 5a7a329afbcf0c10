/// What has been pasted so far.
struct PasteBuffer: Sendable {
  /// As much as one paste may hold, in bytes; the rest is dropped. What is pasted here is a name or a query.
  static let limit = 64 * 1024

  private let end: [UInt8]
  private var bytes: [UInt8] = []
  /// How many bytes of the end mark came last.
  private var matched = 0

  /// An empty paste.
  ///
  /// - Parameter end: The mark at its end; its first byte doesn't come again in it.
  init(end: [UInt8]) {
    self.end = end
  }

  /// Takes a byte.
  ///
  /// - Returns: Whether the paste goes on.
  mutating func append(_ byte: UInt8) -> Bool {
    if matched < end.count, byte == end[matched] {
      matched += 1
      return matched < end.count
    }
    keep(end[..<matched])
    matched = byte == end.first ? 1 : 0
    if matched == 0 { keep([byte]) }
    return true
  }

  /// What was pasted, with the line breaks that it had before the terminal sent each as a carriage return.
  var text: String {
    String(decoding: bytes, as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
      .joined(separator: "\n")
      .split(separator: "\r", omittingEmptySubsequences: false)
      .joined(separator: "\n")
  }

  private mutating func keep(_ more: some Collection<UInt8>) {
    bytes += more.prefix(Self.limit - bytes.count)
  }
}
