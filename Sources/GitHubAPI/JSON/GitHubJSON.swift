internal import HTTPTargets
public import PlatformModules

/// The JSON of GitHub's REST API.
public enum GitHubJSON {
  /// The maximum number of values in a response: three times as many as in a hundred issues with the maximum number of
  /// labels.
  package static let maximumCount = 1 << 18

  /// Creates a decoder for RFC 3339 dates with `Z` or an offset, and with optional fractions of a second. Keys stay
  /// unchanged.
  ///
  /// With this decoder, ``/HTTPTargets/TargetResponse/decode(_:at:using:allowsEmptyBody:)`` refuses JSON of more than
  /// 262,144 values, objects and arrays included. Decoded values use hundreds of times as much memory as their text, so
  /// a hostile server could fill the memory otherwise.
  public static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    // The decoder keeps its text for ``Sent``.
    decoder.userInfo[.jsonText] = Data()
    decoder.userInfo[.maximumJSONCount] = maximumCount
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      guard let date = Timestamp.date(from: try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "This is not an RFC 3339 time.")
      }
      return date
    }
    return decoder
  }

  /// Creates an encoder that sorts keys, doesn't escape slashes, and writes dates as RFC 3339 in UTC and whole seconds.
  /// The same value always gives the same bytes.
  public static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(Timestamp.string(from: date))
    }
    return encoder
  }

  /// Decodes a response body: an entity or an array of entities. U+FFFD replaces invalid Unicode, so that an invalid
  /// byte in one title doesn't fail the whole page.
  ///
  /// - Throws: `DecodingError` for text that isn't JSON, a missing required field, a field of the wrong type, or too
  ///   many values.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from body: Data
  ) throws -> Value {
    try decoder().decode(type, fromServer: body)
  }
}
