internal import HTTPTypes

/// Collects the head of an answer from the lines that libcurl delivers.
///
/// Interim answers (1xx) are dropped, and so are the fields after a chunked body
/// ([RFC 9110, section 15.2](https://www.rfc-editor.org/rfc/rfc9110#section-15.2)).
struct HeadParser {
  /// The most bytes of a head.
  static let limit = 256 << 10

  enum Progress {
    case more
    case complete
    case tooLarge
  }

  private(set) var status = 0
  private(set) var fields = HTTPFields()
  private(set) var isComplete = false
  private var size = 0

  mutating func receive(_ line: UnsafeRawBufferPointer) -> Progress {
    size += line.count
    guard size <= Self.limit else { return .tooLarge }
    guard !isComplete else { return .more }

    let content = Self.trimmed(line)
    if content.isEmpty {
      guard status >= 200 || status == 101 else { return .more }
      isComplete = true
      return .complete
    }
    if content.starts(with: "HTTP/".utf8) {
      fields = HTTPFields()
      status = Self.status(content)
    } else if let colon = content.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(decoding: content[content.startIndex..<colon], as: UTF8.self)
      let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: content[(colon + 1)...]))
      // A name that isn't a token is no field that anybody could ask for.
      if let name = HTTPField.Name(name) {
        fields.append(HTTPField(name: name, lenientValue: value))
      }
    }
    return .more
  }

  /// The digits after the first blank of `HTTP/1.1 200 OK`.
  private static func status(_ line: Slice<UnsafeRawBufferPointer>) -> Int {
    let code = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
    guard let status = Int(String(decoding: code, as: UTF8.self)), (100...999).contains(status)
    else { return 0 }
    return status
  }

  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    func isBlank(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }
    var slice = bytes[...]
    while let first = slice.first, isBlank(first) { slice = slice.dropFirst() }
    while let last = slice.last, isBlank(last) { slice = slice.dropLast() }
    return slice
  }
}
