#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A person, a bot or an organisation.
///
/// Where a user stands inside another answer, as an issue's author does, only the login, the id, the
/// page and the type are there; `GET /users/{username}` gives the rest. The author of an issue whose
/// account was deleted is the user `ghost`.
public struct User: Hashable, Sendable {
  /// The login, the only part that every user has.
  public var login: String
  /// The user's id, which may exceed 32 bits.
  public var id: Int64?
  /// `User`, `Bot`, `Organization`, or another type as the server spelled it.
  public var type: String?
  /// The name people know the user by.
  public var name: String?
  /// The company, as the user typed it.
  public var company: String?
  /// The web site, as the user typed it: not necessarily a URL, and often empty.
  public var blog: String?
  /// The place, as the user typed it.
  public var location: String?
  /// The public address.
  public var email: String?
  /// The user's description of themselves.
  public var bio: String?
  /// How many public repositories the user owns.
  public var publicReposCount: Int?
  /// How many follow the user.
  public var followersCount: Int?
  /// How many the user follows.
  public var followingCount: Int?
  /// The user's page.
  public var htmlURL: String?
  /// When the account was created.
  public var createdAt: Date?
  /// When the account last changed.
  public var updatedAt: Date?

  /// Makes a user.
  public init(
    login: String, id: Int64? = nil, type: String? = nil, name: String? = nil,
    company: String? = nil, blog: String? = nil, location: String? = nil, email: String? = nil,
    bio: String? = nil, publicReposCount: Int? = nil, followersCount: Int? = nil,
    followingCount: Int? = nil, htmlURL: String? = nil, createdAt: Date? = nil,
    updatedAt: Date? = nil
  ) {
    self.login = login
    self.id = id
    self.type = type
    self.name = name
    self.company = company
    self.blog = blog
    self.location = location
    self.email = email
    self.bio = bio
    self.publicReposCount = publicReposCount
    self.followersCount = followersCount
    self.followingCount = followingCount
    self.htmlURL = htmlURL
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

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

  /// Decodes a user. Only the login is required.
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

  /// Encodes the known fields.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  /// The user reduced to some fields, which encode as null if they are unknown.
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
