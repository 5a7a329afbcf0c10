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
  /// What the user says about themselves.
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
