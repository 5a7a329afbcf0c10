internal import PlatformModules

/// The JSON body of a request. Null and absent members differ: null clears a milestone.
enum JSONInput: Sendable, Equatable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONInput])
  case object([String: JSONInput])

  /// Reads a body; nil if it isn't JSON.
  init?(_ body: Data) {
    guard let value = try? JSONDecoder().decode(JSONInput.self, from: body) else { return nil }
    self = value
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let values = try? container.decode([JSONInput].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode([String: JSONInput].self))
    }
  }

  /// A member of an object; nil if it is absent.
  subscript(name: String) -> JSONInput? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// A string's text.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// A number without a fraction.
  var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }

  /// The elements of an array.
  var elements: [JSONInput]? { if case .array(let values) = self { values } else { nil } }
}
