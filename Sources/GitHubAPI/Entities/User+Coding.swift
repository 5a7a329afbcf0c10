#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension User: Codable, FieldSelectable {
  /// A field of a user, by its REST key.
  public enum Field: String, CodingKey, CaseIterable, Sendable {
    /// ``User/login``.
    case login
    /// ``User/id``.
    case id
    /// ``User/type``.
    case type
    /// ``User/name``.
    case name
    /// ``User/company``.
    case company
    /// ``User/blog``.
    case blog
    /// ``User/location``.
    case location
    /// ``User/email``.
    case email
    /// ``User/bio``.
    case bio
    /// ``User/publicReposCount``.
    case publicReposCount = "public_repos"
    /// ``User/followersCount``.
    case followersCount = "followers"
    /// ``User/followingCount``.
    case followingCount = "following"
    /// ``User/htmlURL``.
    case htmlURL = "html_url"
    /// ``User/createdAt``.
    case createdAt = "created_at"
    /// ``User/updatedAt``.
    case updatedAt = "updated_at"
  }

  /// Decodes a user, of whom only the login is required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    login = try container.decode(String.self, forKey: .login)
    id = try container.decodeIfPresent(Int64.self, forKey: .id)
    type = try container.decodeIfPresent(String.self, forKey: .type)
    name = try container.decodeIfPresent(String.self, forKey: .name)
    company = try container.decodeIfPresent(String.self, forKey: .company)
    blog = try container.decodeIfPresent(String.self, forKey: .blog)
    location = try container.decodeIfPresent(String.self, forKey: .location)
    email = try container.decodeIfPresent(String.self, forKey: .email)
    bio = try container.decodeIfPresent(String.self, forKey: .bio)
    publicReposCount = try container.decodeIfPresent(Int.self, forKey: .publicReposCount)
    followersCount = try container.decodeIfPresent(Int.self, forKey: .followersCount)
    followingCount = try container.decodeIfPresent(Int.self, forKey: .followingCount)
    htmlURL = try container.decodeIfPresent(String.self, forKey: .htmlURL)
    createdAt = try container.decodeTimestampIfPresent(forKey: .createdAt)
    updatedAt = try container.decodeTimestampIfPresent(forKey: .updatedAt)
  }

  /// Encodes what is known.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  /// The user reduced to some fields, which encode as null where nothing is known.
  public func selecting(_ fields: [Field]) -> some Encodable & Sendable {
    FieldSelection(entity: self, fields: fields)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .login: login
    case .id: id
    case .type: type
    case .name: name
    case .company: company
    case .blog: blog
    case .location: location
    case .email: email
    case .bio: bio
    case .publicReposCount: publicReposCount
    case .followersCount: followersCount
    case .followingCount: followingCount
    case .htmlURL: htmlURL
    case .createdAt: createdAt.map(Timestamp.string(from:))
    case .updatedAt: updatedAt.map(Timestamp.string(from:))
    }
  }
}
