internal import HTTPTypes

/// Collects the head of a response from libcurl's lines, without interim responses (RFC 9110, section 15.2) and
/// trailers. A line that begins with a blank continues the field before it (RFC 9112, section 5.2).
struct HeadParser {
  static let limit = 256 << 10
  /// GitHub sends thirty fields, and `HTTPFields` traps beyond 65,535.
  static let maximumFields = 1000

  enum Progress {
    case more
    case complete
    case tooLarge
  }

  private(set) var status = 0
  private(set) var fields = HTTPFields()
  private(set) var isComplete = false
  private var isInHead = false
  /// The field that may go on, appended to `fields` at its end: thousands of continuation lines would each copy the
  /// value so far.
  private var name: HTTPField.Name?
  private var value: [UInt8] = []
  private var size = 0

  mutating func receive(_ line: UnsafeRawBufferPointer) -> Progress {
    size += line.count
    guard size <= Self.limit else { return .tooLarge }
    guard !isComplete else { return .more }

    let content = unsafe Self.trimmed(line[...])
    guard isInHead else {
      if unsafe content.starts(with: "HTTP/".utf8) {
        isInHead = true
        fields = HTTPFields()
        // Growing step by step would copy them again and again.
        fields.reserveCapacity(16)
        name = nil
        status = unsafe Self.status(content)
      }
      return .more
    }
    if let first = unsafe line.first, Self.isBlank(first) {
      unsafe unfold(content)
      return .more
    }
    finishField()
    if unsafe content.isEmpty {
      isInHead = false
      guard status >= 200 || status == 101 else { return .more }
      isComplete = true
      return .complete
    } else if let colon = unsafe content.firstIndex(of: UInt8(ascii: ":")) {
      let name = unsafe String(decoding: content[content.startIndex..<colon], as: UTF8.self)
      // Nobody can ask for a field whose name isn't a token.
      if let name = HTTPField.Name(name) {
        guard fields.count < Self.maximumFields else { return .tooLarge }
        self.name = name
        value.removeAll(keepingCapacity: true)
        unsafe value.append(contentsOf: Self.trimmed(content[(colon + 1)...]))
      }
    }
    return .more
  }

  private mutating func unfold(_ content: Slice<UnsafeRawBufferPointer>) {
    guard name != nil, unsafe !content.isEmpty else { return }
    value.append(UInt8(ascii: " "))
    unsafe value.append(contentsOf: content)
  }

  private mutating func finishField() {
    guard let name else { return }
    fields.append(HTTPField(name: name, lenientValue: value))
    self.name = nil
  }

  private static func status(_ line: Slice<UnsafeRawBufferPointer>) -> Int {
    let code = unsafe line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
    guard let status = unsafe Int(String(decoding: code, as: UTF8.self)),
      (100...999).contains(status)
    else { return 0 }
    return status
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func trimmed(
    _ slice: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer> {
    func isBlankOrBreak(_ byte: UInt8) -> Bool { isBlank(byte) || byte == 0x0D || byte == 0x0A }
    var slice = unsafe slice
    while let first = unsafe slice.first, isBlankOrBreak(first) { unsafe slice = slice.dropFirst() }
    while let last = unsafe slice.last, isBlankOrBreak(last) { unsafe slice = slice.dropLast() }
    return unsafe slice
  }
}
