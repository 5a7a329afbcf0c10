internal import PlatformModules

/// A file or folder on the default branch of a repository.
public struct RepositoryContent: Identifiable, Hashable, Sendable {
  /// The kind of an entry.
  public enum Kind: Hashable, Sendable {
    /// A file.
    case file
    /// A folder.
    case folder
    /// A symbolic link.
    case link
    /// A submodule, or a kind newer than this package.
    case other
  }

  /// The last part of the path.
  public var name: String
  /// The path from the root of the repository, without a leading slash.
  public var path: String
  /// The kind.
  public var kind: Kind
  /// The size of a file in bytes.
  public var size: Int
  /// The text of a file that was requested by its path; nil in the list of a folder, for files over 1 MB, and for
  /// invalid UTF-8.
  public var text: String?

  /// Creates an entry.
  public init(
    name: String, path: String, kind: Kind = .file, size: Int = 0, text: String? = nil
  ) {
    self.name = name
    self.path = path
    self.kind = kind
    self.size = size
    self.text = text
  }

  /// The path.
  public var id: String { path }
}

extension RepositoryContent: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, path, type, size, content, encoding
  }

  /// Decodes an entry. Only the name and the path are required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    path = try container.decode(String.self, forKey: .path)
    kind =
      switch try container.decodeIfPresent(String.self, forKey: .type) {
      case "file", nil: .file
      case "dir": .folder
      case "symlink": .link
      default: .other
      }
    size = try container.decodeIfPresent(Int.self, forKey: .size) ?? 0
    // Files over 1 MB have the encoding "none" and no content.
    guard try container.decodeIfPresent(String.self, forKey: .encoding) == "base64",
      let content = try container.decodeIfPresent(String.self, forKey: .content),
      let bytes = Data(base64Encoded: content, options: .ignoreUnknownCharacters)
    else { return }
    text = String(validating: bytes, as: UTF8.self)
  }

  /// Encodes the entry in GitHub's format, with its text in base64.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(path, forKey: .path)
    let type =
      switch kind {
      case .file: "file"
      case .folder: "dir"
      case .link: "symlink"
      case .other: "submodule"
      }
    try container.encode(type, forKey: .type)
    try container.encode(size, forKey: .size)
    guard let text else { return }
    try container.encode("base64", forKey: .encoding)
    try container.encode(Data(text.utf8).base64EncodedString(), forKey: .content)
  }
}

/// The entries at a path: the response to ``GitHub/contents(repositoryFullName:path:)``.
public enum RepositoryContents: Hashable, Sendable {
  /// A file with its text.
  case file(RepositoryContent)
  /// The entries of a folder, at most 1,000, without their text.
  case folder([RepositoryContent])
}

extension RepositoryContents: Codable {
  /// Decodes a list of entries or a single entry.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = .folder(try container.decode([RepositoryContent].self))
    } catch DecodingError.typeMismatch {
      self = .file(try container.decode(RepositoryContent.self))
    }
  }

  /// Encodes a list of entries or a single entry.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .file(let file): try container.encode(file)
    case .folder(let entries): try container.encode(entries)
    }
  }
}
