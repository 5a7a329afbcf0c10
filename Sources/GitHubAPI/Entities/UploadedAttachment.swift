/// The response to an upload: ``GitHub/uploadAttachment(repositoryID:name:contentType:file:)``, or
/// ``GitHub/uploadAsset(repositoryFullName:number:name:contentType:file:)``.
public struct UploadedAttachment: Hashable, Sendable, Codable {
  /// The address for texts, such as `https://github.com/user-attachments/assets/UUID`.
  public var url: String

  /// Creates a response.
  public init(url: String) {
    self.url = url
  }

  private enum CodingKeys: String, CodingKey {
    case url
    case downloadURL = "browser_download_url"
  }

  /// Decodes the response of GitHub, or of Forgejo and Gitea.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    url =
      try container.decodeIfPresent(String.self, forKey: .downloadURL)
      ?? container.decode(String.self, forKey: .url)
  }

  /// Encodes the response of GitHub.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(url, forKey: .url)
  }
}
