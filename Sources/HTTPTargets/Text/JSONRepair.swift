package import PlatformModules

package enum JSONRepair {
  /// Replaces invalid UTF-8 and escaped lone surrogates with U+FFFD; nil if there are none.
  package static func repaired(_ body: Data) -> Data? {
    let text = String(decoding: body, as: UTF8.self)
    let repaired = replacingLoneSurrogates(in: Array(text.utf8))
    return repaired.elementsEqual(body) ? nil : Data(repaired)
  }

  /// Replaces lone surrogates. `"\uDEAD"` is valid JSON grammar, but doesn't represent Unicode text (RFC 8259, section
  /// 8.2).
  private static func replacingLoneSurrogates(in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      switch escapedUnit(in: bytes, at: index) {
      case .some(0xD800...0xDBFF):
        if case .some(0xDC00...0xDFFF) = escapedUnit(in: bytes, at: index + 6) {
          result.append(contentsOf: bytes[index..<(index + 12)])
          index += 12
        } else {
          result.append(contentsOf: "\\ufffd".utf8)
          index += 6
        }
      case .some(0xDC00...0xDFFF):
        result.append(contentsOf: "\\ufffd".utf8)
        index += 6
      case .some:
        result.append(contentsOf: bytes[index..<(index + 6)])
        index += 6
      case nil:
        // An escape of two characters, such as `\\`. The second character must not start another escape.
        result.append(contentsOf: bytes[index..<min(index + 2, bytes.count)])
        index += 2
      }
    }
    return result
  }

  private static func escapedUnit(in bytes: [UInt8], at index: Int) -> UInt16? {
    guard index + 6 <= bytes.count,
      bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[(index + 2)..<(index + 6)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

extension JSONDecoder {
  /// Decodes JSON from a server: the whole text, or the part at a path of keys joined by dots. `isChecked` means that a
  /// reader has already checked the text for a ``JSONProblem``. Invalid Unicode is repaired only if the text can't be
  /// decoded otherwise.
  package func decode<Value: Decodable>(
    _ type: Value.Type, fromServer text: Data, at keyPath: String = "", isChecked: Bool = false
  ) throws -> Value {
    let maximumCount = userInfo[.maximumJSONCount] as? Int ?? .max
    if !isChecked, let problem = JSONProblem(in: text, maximumCount: maximumCount) {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "\(problem)", underlyingError: problem))
    }
    do {
      return try decode(type, fromText: text, at: keyPath)
    } catch {
      guard let repaired = JSONRepair.repaired(text) else { throw error }
      return try decode(type, fromText: repaired, at: keyPath)
    }
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, fromText text: Data, at keyPath: String
  ) throws -> Value {
    if userInfo[.jsonText] != nil { userInfo[.jsonText] = text }
    // A reused decoder must not use this text for another value.
    defer { if userInfo[.jsonText] != nil { userInfo[.jsonText] = Data() } }
    guard !keyPath.isEmpty else { return try decode(type, from: text) }
    let keys = keyPath.split(separator: ".").map { AnyCodingKey(stringValue: String($0)) }
    guard let last = keys.last else { return try decode(type, from: text) }
    var container = try decode(KeyedRoot.self, from: text).container
    for key in keys.dropLast() {
      container = try container.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key)
    }
    return try container.decode(type, forKey: last)
  }
}

extension CodingUserInfoKey {
  /// If a decoder has a value for this key, the text being decoded is stored here.
  package static let jsonText = named("HTTPTargets.jsonText")
  /// The maximum number of values in the decoder's texts, an `Int`; no limit if there is none.
  package static let maximumJSONCount = named("HTTPTargets.maximumJSONCount")

  private static func named(_ name: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("every text is a key")
    }
    return key
  }
}

/// Exposes the top-level container, to walk a key path with the decoder's own strategies.
private struct KeyedRoot: Decodable {
  let container: KeyedDecodingContainer<AnyCodingKey>

  init(from decoder: any Decoder) throws {
    container = try decoder.container(keyedBy: AnyCodingKey.self)
  }
}

private struct AnyCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}
