internal import HTTPTypes

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The form of a stored answer in a file.
///
/// Numbers have their least significant byte first; a text has its length in bytes before it, as 4 bytes,
/// and a list the number of its members:
///
/// | bytes | are |
/// |---|---|
/// | 8 | ``magic``, which tells the format's version as well |
/// | 4 | the length of the middle part |
/// | 4 | the length of the body |
/// | 8 | the checksum of the body |
/// | 8 | the checksum of the 24 bytes before it and of the middle part |
/// | … | the middle part: key, variant, URL, list of redirects, list of names and values of fields |
/// | … | the body |
extension StoredResponse {
  /// The first bytes of a file of this format.
  ///
  /// As in PNG files a byte that is no text and a line feed are among them, which a transfer as text
  /// would change.
  static let magic: [UInt8] = [0x89] + Array("HTTPr1\n".utf8)
  private static let prefixLength = 32

  /// What a file turns out to be.
  enum Decoded: Hashable {
    /// An answer under the key that was looked for.
    case response(StoredResponse)
    /// An answer under another key: its name is the same by chance.
    case otherKey
    /// Not a file of this format, or not any more.
    case damaged
  }

  /// All that stands before the body; nil for what is too long.
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
    head.append(number: body.withUnsafeBytes(WordChecksum.of))
    let start = head
    head.append(number: (start + middle).withUnsafeBytes(WordChecksum.of))
    return head + middle
  }

  /// Reads a file, of which nothing is believed.
  static func decode(_ file: [UInt8], for key: ResponseKey) -> Decoded {
    file.withUnsafeBytes { bytes in
      var prefix = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.prefix(prefixLength)))
      guard bytes.starts(with: magic), prefix.number() != Optional<UInt64>.none,
        let middleLength: UInt32 = prefix.number(), let bodyLength: UInt32 = prefix.number(),
        let bodyChecksum: UInt64 = prefix.number(), let checksum: UInt64 = prefix.number(),
        bytes.count == prefixLength + Int(middleLength) + Int(bodyLength)
      else { return .damaged }
      let middle = bytes[prefixLength..<prefixLength + Int(middleLength)]
      let body = UnsafeRawBufferPointer(rebasing: bytes[middle.endIndex...])
      let summed = Array(bytes[..<(prefixLength - 8)]) + Array(middle)
      guard summed.withUnsafeBytes(WordChecksum.of) == checksum,
        WordChecksum.of(body) == bodyChecksum
      else { return .damaged }
      var reader = ByteReader(UnsafeRawBufferPointer(rebasing: middle))
      guard let text = reader.text() else { return .damaged }
      guard text == key.text else { return .otherKey }
      guard let variant = reader.text(), let url = reader.text(),
        let redirects = reader.list({ $0.text() }), let fields = reader.list(Self.field),
        reader.isAtEnd, fields.count <= maximumFields
      else { return .damaged }
      return .response(
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
