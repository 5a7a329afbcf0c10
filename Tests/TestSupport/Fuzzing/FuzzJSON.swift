internal import PlatformModules

/// A JSON text as a tree, which stays JSON when it is changed. Random bytes seldom get past a parser's first check.
public indirect enum FuzzJSON: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number as written, which may be invalid.
  case number(String)
  /// A string.
  case string(String)
  /// A list.
  case array([FuzzJSON])
  /// An object, whose names may repeat.
  case object([Member])

  /// A name and a value of an object.
  public struct Member: Sendable {
    var name: String
    var value: FuzzJSON
  }

  /// Reads a valid JSON text.
  ///
  /// - Throws: `DecodingError` if it isn't valid.
  public init(_ text: [UInt8]) throws {
    self = try JSONDecoder().decode(Reader.self, from: Data(text)).value
  }

  /// The text, with an occasional escape or extra blank.
  public func text(using source: inout FuzzSource) -> [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes, using: &source)
    return bytes
  }

  private func write(to bytes: inout [UInt8], using source: inout FuzzSource) {
    if source.once(in: 64) { bytes += source.pick([" ", "\n", "\t", "\r\n "]).utf8 }
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let value): bytes += "\(value)".utf8
    case .number(let text): bytes += text.utf8
    case .string(let text): Self.write(text, to: &bytes, using: &source)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes, using: &source)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &bytes, using: &source)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes, using: &source)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(
    _ text: String, to bytes: inout [UInt8], using source: inout FuzzSource
  ) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || source.once(in: 50) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
        }
      } else {
        bytes += String(scalar).utf8
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// Builds the tree from any decoder.
private struct Reader: Decodable {
  let value: FuzzJSON

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Name.self) {
      value = .object(
        try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map { name in
          FuzzJSON.Member(
            name: name.stringValue, value: try container.decode(Reader.self, forKey: name).value)
        })
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [FuzzJSON] = []
      while !container.isAtEnd { values.append(try container.decode(Reader.self).value) }
      value = .array(values)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        value = .null
      } else if let boolean = try? container.decode(Bool.self) {
        value = .boolean(boolean)
      } else if let number = try? container.decode(Int64.self) {
        value = .number("\(number)")
      } else if let number = try? container.decode(Double.self) {
        value = .number("\(number)")
      } else {
        value = .string(try container.decode(String.self))
      }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }
}
