public import HTTPTypes
public import PlatformModules

/// A complete response with status 200, in the form that a ``ResponseStore`` keeps.
public struct StoredResponse: Sendable, Hashable {
  /// The final URL, after redirects.
  public var url: String
  /// The URLs that redirected to the final one, oldest first.
  public var redirects: [String]
  /// The header fields.
  public var headers: HTTPFields
  /// The decompressed body.
  public var body: Data
  /// A fingerprint of the request's fields that `Vary` names.
  var variant: String

  /// Creates a stored response; nil if the response mustn't be stored (RFC 9111, section 3). It mustn't either if it
  /// repeats a secret of the request, because a store may be on disk.
  init?(_ response: TargetResponse, to request: TargetRequest, needsValidator: Bool = true) {
    self.init(
      url: response.request.url, redirects: response.redirects, headers: response.headers,
      body: response.body, variant: "")
    guard response.status == .ok, hasValidator || !needsValidator, !response.headers.forbidStoring,
      headers.count <= Self.maximumFields,
      let variant = Self.variant(of: request, by: response.headers)
    else { return nil }
    self.variant = variant
    // A response to the credentials of an inner interceptor isn't for callers without credentials.
    let isForAnybody = !request.headers.contains { Redaction.isSecret($0.name) }
    guard
      !isForAnybody || !response.request.headers.contains(where: { Redaction.isSecret($0.name) })
    else { return nil }
    guard !repeats(Redaction.secrets(in: request.headers + response.request.headers)) else {
      return nil
    }
  }

  private func repeats(_ secrets: [[UInt8]]) -> Bool {
    secrets.contains { secret in
      unsafe body.withUnsafeBytes { unsafe ByteSearch.position(of: secret, in: $0) != nil }
        || headers.contains { field in
          unsafe Array(field.value.utf8).withUnsafeBytes {
            unsafe ByteSearch.position(of: secret, in: $0) != nil
          }
        }
    }
  }

  init(url: String, redirects: [String], headers: HTTPFields, body: Data, variant: String) {
    self.url = url
    self.redirects = redirects
    self.headers = headers
    self.body = body
    self.variant = variant
  }

  /// The maximum number of fields. Each 304 may add fields, and `HTTPFields` traps beyond 65,535.
  static let maximumFields = 2000

  func hasRoom(for fields: HTTPFields) -> Bool {
    headers.count + fields.count <= Self.maximumFields
  }

  /// Whether this response matches a request with the same key, considering `Vary`.
  func answers(_ request: TargetRequest) -> Bool {
    Self.variant(of: request, by: headers) == variant && body.count <= request.maximumBodySize
  }

  var entityTag: String? { headers[.eTag].flatMap(Self.validator) }

  var lastModified: String? { headers[.lastModified].flatMap(Self.validator) }

  /// Returns a validator unless it is too long. Servers accept about 8 KiB of request fields, so every later request
  /// with a long tag would fail.
  private static func validator(_ text: String) -> String? {
    text.isEmpty || text.utf8.count > 1024 ? nil : text
  }

  private var hasValidator: Bool { entityTag != nil || lastModified != nil }

  /// Returns the part that may be kept, without fields that contain credentials, such as `Set-Cookie`. Returns nil if
  /// the response mustn't be kept.
  ///
  /// A truncated response isn't kept, because the server would confirm it again and again. (libcurl doesn't detect
  /// truncated compressed bodies.) A response with a secret in its URLs isn't kept either.
  ///
  /// This method reads every byte, so call it outside the path of a waiting caller.
  public func keepable() -> StoredResponse? {
    guard isWhole, !([url] + redirects).contains(where: Redaction.hasSecret(inURL:)) else {
      return nil
    }
    var kept = self
    if headers.contains(where: { Redaction.isSecret($0.name) }) {
      kept.headers = headers.filtered { !Redaction.isSecret($0.name) }
    }
    return kept.headers.contains { Redaction.hasSecret(inURL: $0.value) } ? nil : kept
  }

  private var isWhole: Bool {
    headers.describeJSON
      ? JSONBrackets.areClosed(in: body) == true : !headers.contains(.contentEncoding)
  }

  /// The fingerprint of the fields that `Vary` names; nil for `*`, which no request matches.
  private static func variant(of request: TargetRequest, by headers: HTTPFields) -> String? {
    let names = headers.listed(in: .vary)
    guard !names.contains("*") else { return nil }
    let fields = request.headers.filter { names.contains($0.name.canonicalName) }
      .map { "\($0.name.canonicalName): \($0.value)" }
    return fields.isEmpty ? "" : Fingerprint(fields.sorted()).text
  }
}

extension StoredResponse: CustomStringConvertible, CustomReflectable {
  /// The URL and the length, without secrets.
  public var description: String { "\(body.count) bytes of \(Redaction.url(url))" }

  /// Shows only ``description``, because header fields can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPFields {
  var forbidStoring: Bool { listed(in: .cacheControl).contains("no-store") }

  func listed(in name: HTTPField.Name) -> [String] {
    // Spaces and tabs end the name of a directive. Values aren't needed.
    self[values: name].flatMap { value in
      value.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == 0x09 }
        .map { Substring($0).lowercased() }
    }
  }
}

/// The form of a stored response in a file.
///
/// Numbers are little-endian. Text is preceded by its length in 4 bytes, and a list by its count in 4 bytes:
///
/// | bytes | content |
/// |---|---|
/// | 8 | ``magic`` with the format's version |
/// | 4, 4 | the lengths of the middle part and the body |
/// | 8 | the checksum of the body |
/// | 8 | the checksum of the 24 bytes before it and of the middle part |
/// | … | key, variant, URL, list of redirects, list of names and values of fields; then the body |
extension StoredResponse {
  /// The first bytes of a file. As in PNG files, a transfer in text mode would damage the non-text byte or the line
  /// feed.
  static let magic: [UInt8] = [0x89] + Array("HTTPr1\n".utf8)
  private static let prefixLength = 32

  enum Decoded: Hashable {
    case response(StoredResponse)
    case otherKey
    case damaged
  }

  /// The bytes before the body.
  func head(under key: ResponseKey) -> [UInt8]? {
    var middle: [UInt8] = []
    middle.append(text: key.text)
    middle.append(text: variant)
    middle.append(text: url)
    middle.append(number: UInt32(truncatingIfNeeded: redirects.count))
    for redirect in redirects { middle.append(text: redirect) }
    middle.append(number: UInt32(truncatingIfNeeded: headers.count))
    for field in headers {
      middle.append(text: field.name.rawName)
      middle.append(text: field.value)
    }
    guard let middleLength = UInt32(exactly: middle.count),
      let bodyLength = UInt32(exactly: body.count)
    else { return nil }
    var head = Self.magic
    head.append(number: middleLength)
    head.append(number: bodyLength)
    unsafe head.append(number: body.withUnsafeBytes(WordChecksum.of))
    let start = head
    unsafe head.append(number: (start + middle).withUnsafeBytes(WordChecksum.of))
    return head + middle
  }

  /// Decodes a file without trusting any of its bytes.
  static func decode(_ file: [UInt8], for key: ResponseKey) -> Decoded {
    unsafe file.withUnsafeBytes { bytes in
      var prefix = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes.prefix(prefixLength)))
      guard unsafe bytes.starts(with: magic), prefix.number() != Optional<UInt64>.none,
        let middleLength: UInt32 = prefix.number(), let bodyLength: UInt32 = prefix.number(),
        let bodyChecksum: UInt64 = prefix.number(), let checksum: UInt64 = prefix.number(),
        bytes.count == prefixLength + Int(middleLength) + Int(bodyLength)
      else { return .damaged }
      let middle = unsafe bytes[prefixLength..<prefixLength + Int(middleLength)]
      let body = unsafe UnsafeRawBufferPointer(rebasing: bytes[middle.endIndex...])
      let summed = unsafe Array(bytes[..<(prefixLength - 8)]) + Array(middle)
      guard unsafe summed.withUnsafeBytes(WordChecksum.of) == checksum,
        unsafe WordChecksum.of(body) == bodyChecksum
      else { return .damaged }
      var reader = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: middle))
      guard let text = reader.text() else { return .damaged }
      guard text == key.text else { return .otherKey }
      guard let variant = reader.text(), let url = reader.text(),
        let redirects = reader.list({ $0.text() }), let fields = reader.list(Self.field),
        reader.isAtEnd, fields.count <= maximumFields
      else { return .damaged }
      return unsafe .response(
        StoredResponse(
          url: url, redirects: redirects, headers: HTTPFields(fields), body: Data(body),
          variant: variant))
    }
  }

  private static func field(_ reader: inout ByteReader) -> HTTPField? {
    guard let name = reader.text(), let value = reader.text(), let name = HTTPField.Name(name),
      HTTPField.isValidValue(value)
    else { return nil }
    return HTTPField(name: name, value: value)
  }
}

/// Reads numbers, and text preceded by its length; nil if the bytes end too early.
// @safe: the creator of the reader keeps the bytes alive, and every length is compared with their count.
@safe
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = bytes
  }

  var isAtEnd: Bool { unsafe position == bytes.count }

  mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() -> Number? {
    guard unsafe bytes.count - position >= MemoryLayout<Number>.size else { return nil }
    defer { position += MemoryLayout<Number>.size }
    return unsafe Number(
      littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
  }

  mutating func text() -> String? {
    guard let count: UInt32 = number(), unsafe Int(count) <= bytes.count - position else {
      return nil
    }
    defer { position += Int(count) }
    return unsafe String(validating: bytes[position..<position + Int(count)], as: UTF8.self)
  }

  mutating func list<Value>(_ value: (inout ByteReader) -> Value?) -> [Value]? {
    guard let count: UInt32 = number() else { return nil }
    var values: [Value] = []
    for _ in 0..<count {
      // A forged count ends at the end of the bytes.
      guard let value = value(&self) else { return nil }
      values.append(value)
    }
    return values
  }
}

extension [UInt8] {
  mutating func append(number: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }

  mutating func append(text: String) {
    append(number: UInt32(truncatingIfNeeded: text.utf8.count))
    append(contentsOf: text.utf8)
  }
}

/// A checksum that is fast enough for every page.
///
/// It detects every change within eight aligned bytes, because each step (exclusive or, multiplication by an odd
/// number, rotation) is reversible. It doesn't detect deliberate changes, but only the user can make them.
enum WordChecksum {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = mixed(0, UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      state = unsafe mixed(
        state, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = unsafe rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    state = mixed(state, rest)
    state ^= state >> 32
    return state &* multiplier
  }

  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* multiplier
    return product << 29 | product >> 35
  }
}
