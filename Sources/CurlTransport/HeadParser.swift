internal import HTTPTypes

/// Collects the head of a response from the lines that libcurl passes. Omits interim responses (RFC 9110, section 15.2)
/// and trailers.
struct HeadParser {
  static let limit = 256 << 10
  /// The maximum number of fields. GitHub sends thirty, and `HTTPFields` traps beyond 65,535.
  static let maximumFields = 1000

  enum Progress {
    case more
    case complete
    case tooLarge
  }

  private(set) var status = 0
  /// The server's words after the status code; empty if there are none.
  private(set) var reason = ""
  private(set) var lines = FieldLines()
  private(set) var isComplete = false
  /// Whether the head is a challenge that libcurl may answer by itself, so it may not be the final head.
  private(set) var isChallenge = false
  private let answersChallenges: Bool
  private var isInHead = false
  private var size = 0

  init(answersChallenges: Bool = false) {
    self.answersChallenges = answersChallenges
  }

  /// Accepts a challenge as the final head, because libcurl hasn't answered it. Returns false if the head isn't a
  /// challenge.
  mutating func settle() -> Bool {
    defer { isChallenge = false }
    return isChallenge
  }

  mutating func receive(_ line: UnsafeRawBufferPointer) -> Progress {
    if isChallenge, unsafe line.starts(with: "HTTP/".utf8) {
      self = HeadParser(answersChallenges: true)
    }
    size += line.count
    guard size <= Self.limit else { return .tooLarge }
    guard !isComplete else { return .more }

    guard isInHead else {
      if unsafe line.starts(with: "HTTP/".utf8) {
        isInHead = true
        lines = FieldLines()
        let words = unsafe String(decoding: line, as: UTF8.self)
          .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        status = words.count > 1 ? Self.status(words[1]) : 0
        reason = words.count > 2 ? String(words[2].prefix { !$0.isNewline }) : ""
      }
      return .more
    }
    guard let first = unsafe line.first, !first.isLineBreak else {
      isInHead = false
      guard status >= 200 || status == 101 else { return .more }
      isComplete = true
      isChallenge = answersChallenges && status == 401
      return isChallenge ? .more : .complete
    }
    unsafe lines.append(line)
    return lines.count <= Self.maximumFields ? .more : .tooLarge
  }

  private static func status(_ word: Substring) -> Int {
    guard let status = Int(word.prefix(3)), (100...999).contains(status) else { return 0 }
    return status
  }
}

/// The field lines of a head, as received.
struct FieldLines: Sendable {
  private var bytes: [UInt8] = []
  /// The number of lines that begin a field.
  private(set) var count = 0

  mutating func append(_ line: UnsafeRawBufferPointer) {
    if let first = unsafe line.first, !first.isBlank { count += 1 }
    unsafe bytes.append(contentsOf: line)
  }

  /// Parses the fields. A line that begins with a space or a tab continues the previous field (RFC 9112, section 5.2).
  /// A field whose name isn't a token can't be looked up, so it is omitted.
  func fields() -> HTTPFields {
    var fields = HTTPFields()
    fields.reserveCapacity(count)
    var rest = bytes[...]
    while !rest.isEmpty {
      let line = rest.removeLine()
      var continuation: [UInt8] = []
      while rest.first?.isBlank == true {
        let more = rest.removeLine().trimmed
        if !more.isEmpty { continuation += [UInt8(ascii: " ")] + more }
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
      else { continue }
      let value = line[(colon + 1)...].trimmed
      if continuation.isEmpty, value.allSatisfy({ (0x20...0x7E).contains($0) }) {
        // A faster path for the usual values.
        fields.append(HTTPField(name: name, value: String(decoding: value, as: UTF8.self)))
      } else {
        fields.append(HTTPField(name: name, lenientValue: value + continuation))
      }
    }
    return fields
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func removeLine() -> ArraySlice {
    let end = firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? endIndex
    defer { self = self[end...] }
    return self[..<end]
  }

  fileprivate var trimmed: ArraySlice {
    let isContent = { (byte: UInt8) in !byte.isBlank && !byte.isLineBreak }
    guard let first = firstIndex(where: isContent), let last = lastIndex(where: isContent) else {
      return []
    }
    return self[first...last]
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
  fileprivate var isLineBreak: Bool { self == UInt8(ascii: "\r") || self == UInt8(ascii: "\n") }
}
