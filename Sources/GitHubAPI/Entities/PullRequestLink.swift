#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What an issue that is a pull request says about it.
public struct PullRequestLink: Hashable, Sendable {
  /// The pull request in the API.
  public var url: String?
  /// The pull request's page.
  public var htmlURL: String?
  /// When it was merged.
  public var mergedAt: Date?

  /// Makes a link.
  public init(url: String? = nil, htmlURL: String? = nil, mergedAt: Date? = nil) {
    self.url = url
    self.htmlURL = htmlURL
    self.mergedAt = mergedAt
  }
}

extension PullRequestLink: Codable, FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case url
    case htmlURL = "html_url"
    case mergedAt = "merged_at"
  }

  /// Decodes a link, each part of which may be null or absent.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    url = try container.decodeIfPresent(String.self, forKey: .url)
    htmlURL = try container.decodeIfPresent(String.self, forKey: .htmlURL)
    mergedAt = try container.decodeTimestampIfPresent(forKey: .mergedAt)
  }

  /// Encodes what is known.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .url: url
    case .htmlURL: htmlURL
    case .mergedAt: mergedAt.map(Timestamp.string(from:))
    }
  }
}
