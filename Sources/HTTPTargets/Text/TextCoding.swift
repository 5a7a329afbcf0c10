extension Decoder {
  /// Decodes a value from its text. For invalid text, `read` returns nil or throws the reason.
  package func decodeText<Value>(_ read: (String) throws -> Value?) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    let value: Value?
    do {
      value = try read(text)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "\(error)", underlyingError: error))
    }
    guard let value else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text isn't a valid \(Value.self).")
    }
    return value
  }
}

extension Encoder {
  package func encodeText(_ value: some CustomStringConvertible) throws {
    var container = singleValueContainer()
    try container.encode(value.description)
  }
}
