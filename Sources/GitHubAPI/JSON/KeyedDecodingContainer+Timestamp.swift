#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension KeyedDecodingContainer {
  /// Decodes a timestamp, or nil when it is absent or null.
  ///
  /// The entities read the text themselves rather than ask for a `Date`: it is cheaper than a custom
  /// strategy, and an entity then decodes with any decoder, whatever its date strategy.
  func decodeTimestampIfPresent(forKey key: Key) throws -> Date? {
    guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
    guard let date = Timestamp.date(from: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "This is not an RFC 3339 time.")
    }
    return date
  }
}
