/// The response to an upload: ``GitHub/uploadAttachment(repositoryID:name:contentType:file:)``.
public struct UploadedAttachment: Hashable, Sendable, Codable {
  /// The address for texts, such as `https://github.com/user-attachments/assets/UUID`.
  public var url: String

  /// Creates a response.
  public init(url: String) {
    self.url = url
  }
}
