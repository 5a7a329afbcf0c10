internal import GitHubAPI
internal import PlatformModules

/// A JSON value whose members keep their order, for readers that see only the beginning.
enum OrderedJSON: Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A number with one digit after the decimal point.
  case tenths(Double)
  case string(String)
  case array([OrderedJSON])
  case object([Member])
  /// JSON text written by this program.
  case written(String)

  typealias Member = (name: String, value: OrderedJSON)

  /// The value in one line without spaces, with the escapes of ``JSONText/escaped(_:)``.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes, GitHubJSON.encoder())
    return JSONText.escaped(bytes)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  static func strings(_ texts: some Sequence<String>) -> OrderedJSON {
    .array(texts.map(OrderedJSON.string))
  }

  private func append(to bytes: inout [UInt8], _ encoder: JSONEncoder) {
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let value): bytes += "\(value)".utf8
    case .integer(let value): bytes += "\(value)".utf8
    case .tenths(let value):
      let tenths = (value * 10).rounded()
      bytes += (abs(tenths) < 1e15 ? "\(tenths / 10)" : "null").utf8
    case .string(let text): Self.append(text, to: &bytes, encoder)
    case .written(let text): bytes += text.utf8
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.append(to: &bytes, encoder)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.append(member.name, to: &bytes, encoder)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes, encoder)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8], _ encoder: JSONEncoder) {
    // A Swift string is valid Unicode, so it can always be encoded.
    bytes += (try? encoder.encode(text)) ?? Data("\"\"".utf8)
  }
}
