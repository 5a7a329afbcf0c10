internal import HTTPTargets

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The JSON of GitHub's REST API.
public enum GitHubJSON {
  /// Creates a decoder for RFC 3339 dates, with `Z` or an offset, and fractions of a second. Keys stay unchanged.
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

  /// Creates an encoder that sorts keys, leaves slashes unescaped, and writes dates as RFC 3339 in UTC and whole
  /// seconds, so that the same value always gives the same bytes.
  public static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(Timestamp.string(from: date))
    }
    return encoder
  }

  /// Decodes a response body, an entity or an array of them, with U+FFFD in place of invalid Unicode, so that a
  /// stray byte in one title doesn't lose a page.
  ///
  /// - Throws: `DecodingError` for text that isn't JSON, a missing required field, or a field of the wrong type.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from body: Data
  ) throws -> Value {
    try decodeQuickly(type, from: body) ?? decoder().decode(type, fromServer: body)
  }
}

extension GitHubJSON {
  static let warmUpSamples = (
    repository: #"{"id":1,"full_name":"o/r","owner":{"login":"o"},"private":false,"topics":["t"]}"#,
    issues: """
    [{"id":1,"number":1,"title":"t","state":"open","user":{"login":"o","id":1},"comments":0,\
    "labels":[{"id":1,"name":"l"}],"assignees":[{"login":"o"}],"milestone":{"id":1,"title":"m"},\
    "locked":false,"created_at":"2026-01-01T00:00:00Z","pull_request":{"url":"u"},\
    "reactions":{"total_count":1,"heart":1},"type":{"name":"t"},\
    "sub_issues_summary":{"total":0},"issue_dependencies_summary":{"blocked_by":0}}]
    """
  )

  /// Decodes a repository and an issue before the first response arrives, because the runtime's work for a type's
  /// first decoding takes a third of the time for thirty issues, and a twentieth of a whole run.
  package static func warmUp() {
    _ = try? decode(GitHub.Repository.self, from: Data(warmUpSamples.repository.utf8))
    // Entry by entry, as a page is read.
    let issue = Data(warmUpSamples.issues.utf8.dropFirst().dropLast())
    _ = decodeQuickly(Sent<GitHub.Issue>.self, from: issue, isChecked: true)
  }
}
