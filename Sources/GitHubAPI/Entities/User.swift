public import PlatformModules

extension GitHub {
  /// A user, a bot or an organization.
  ///
  /// Within another response, such as an issue, only the login, the ID, the page and the type are present.
  /// `GET /users/{username}` returns the rest. The author of an issue is `ghost` if their account was deleted.
  public struct User: Identifiable, Hashable, Sendable {
    /// The login, which every user has.
    public var login: String
    /// The ID on the server, which may exceed 32 bits and doesn't change when the user is renamed.
    public var serverID: Int64?
    /// The type: `User`, `Bot`, `Organization`, or another type in the server's spelling.
    public var type: String?
    /// The user's full name.
    public var name: String?
    /// The company, as typed by the user.
    public var company: String?
    /// The website, as typed by the user. It is often empty, and not necessarily a URL.
    public var blog: String?
    /// The location, as typed by the user.
    public var location: String?
    /// The public email address.
    public var email: String?
    /// The user's description of themselves.
    public var bio: String?
    /// The number of the user's public repositories.
    public var publicReposCount: Int?
    /// The number of the user's followers.
    public var followersCount: Int?
    /// The number of users followed by the user.
    public var followingCount: Int?
    /// The URL of the user's page.
    public var htmlURL: String?
    /// The time when the account was created.
    public var createdAt: Date?
    /// The time of the account's last change.
    public var updatedAt: Date?

    /// Creates a user.
    public init(
      login: String, serverID: Int64? = nil, type: String? = nil, name: String? = nil,
      company: String? = nil, blog: String? = nil, location: String? = nil, email: String? = nil,
      bio: String? = nil, publicReposCount: Int? = nil, followersCount: Int? = nil,
      followingCount: Int? = nil, htmlURL: String? = nil, createdAt: Date? = nil,
      updatedAt: Date? = nil
    ) {
      self.login = login
      self.serverID = serverID
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

    /// The login, which every server sends.
    public var id: String { login }
  }
}

extension GitHub.User: Codable, FieldSelectable {
  /// A field of a user. Its name is that of the property, and its raw value is the REST key.
  public enum Field: String, CodingKey, CaseIterable, Sendable {
    /// The login.
    case login
    /// The ID on the server.
    case serverID = "id"
    /// The type.
    case type
    /// The user's full name.
    case name
    /// The company.
    case company
    /// The website.
    case blog
    /// The location.
    case location
    /// The public email address.
    case email
    /// The user's description of themselves.
    case bio
    /// The number of the user's public repositories.
    case publicReposCount = "public_repos"
    /// The number of the user's followers.
    case followersCount = "followers"
    /// The number of users followed by the user.
    case followingCount = "following"
    /// The URL of the user's page.
    case htmlURL = "html_url"
    /// The time when the account was created.
    case createdAt = "created_at"
    /// The time of the account's last change.
    case updatedAt = "updated_at"

    /// The REST key.
    public var description: String { rawValue }
  }

  /// Decodes a user. Only the login is required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    login = try container.decode(String.self, forKey: .login)
    serverID = try container.decodeIfPresent(Int64.self, forKey: .serverID)
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

  /// Returns an encodable selection of the user's fields. Unknown values are encoded as null.
  public func selecting(_ fields: [Field]) -> some Encodable & Sendable {
    FieldSelection(entity: self, fields: fields)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .login: login
    case .serverID: serverID
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
