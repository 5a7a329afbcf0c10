internal import HTTPTargets

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The JSON of GitHub's REST API.
public enum GitHubJSON {
  /// Makes a decoder whose dates are RFC 3339: `Z`, an offset, and fractions of a second are read.
  ///
  /// Keys are taken as they are; the entities name theirs.
  public static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    // For ``Sent``, which is decoded from the same text.
    decoder.userInfo[.jsonText] = Data()
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

  /// Makes an encoder that writes dates as RFC 3339 in UTC and whole seconds, keys in order, and
  /// slashes as they are, so that the same value always gives the same bytes.
  public static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(Timestamp.string(from: date))
    }
    return encoder
  }

  /// Decodes a response body, putting U+FFFD in the place of text that is no Unicode.
  ///
  /// One issue whose title holds a stray byte or half a surrogate pair doesn't lose the page it is
  /// on. Only a body that can't be decoded is searched for such text.
  ///
  /// - Parameters:
  ///   - type: The type to decode, an entity or an array of them.
  ///   - body: The bytes as they arrived.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError`, naming the coding path, when the body is not JSON, when a required
  ///   field is absent, or when a field holds another type than it should.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from body: Data
  ) throws -> Value {
    try decoder().decode(type, fromServer: body)
  }
}

extension GitHubJSON {
  /// The JSON that is decoded to warm up: a repository, and a list of one issue that has every part.
  static let warmUpSamples = (
    repository: #"{"id":1,"full_name":"o/r","owner":{"login":"o"},"private":false,"topics":["t"]}"#,
    issues: """
    [{"id":1,"number":1,"title":"t","state":"open","user":{"login":"o","id":1},"comments":0,\
    "labels":[{"id":1,"name":"l"}],"assignees":[{"login":"o"}],"milestone":{"id":1,"title":"m"},\
    "locked":false,"created_at":"2026-01-01T00:00:00Z","pull_request":{"url":"u"},\
    "reactions":{"total_count":1,"heart":1}}]
    """
  )

  /// Decodes a repository and an issue, for a process that asks for one list and ends.
  ///
  /// The runtime's work for the first decoding of a type is then done before the first answer arrives: a third
  /// of the time to decode thirty issues, and a twentieth of the whole run.
  package static func warmUp() {
    _ = try? decoder().decode(Repository.self, from: Data(warmUpSamples.repository.utf8))
    // Entry by entry, as a page is read.
    let issue = Data(warmUpSamples.issues.utf8.dropFirst().dropLast())
    _ = try? decoder().decode(Sent<Issue>.self, fromServer: issue, isChecked: true)
  }
}
