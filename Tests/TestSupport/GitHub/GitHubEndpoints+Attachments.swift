public import PlatformModules

/// A file that was uploaded for texts.
public struct LoopbackAttachment: Sendable, Equatable {
  /// The name.
  public let name: String
  /// The media type.
  public let contentType: String
  /// The bytes.
  public let bytes: Data
  /// The id of the repository.
  public let repository: Int
  /// The address.
  public let url: String
}

extension LoopbackGitHub {
  /// The files that were uploaded, in order.
  public var uploads: [LoopbackAttachment] { attachments.current }
}

/// Files for texts, as `gh` 2.99 uploads them: GitHub doesn't document this endpoint.
extension GitHubEndpoints {
  private static let extensions = [
    "png", "jpg", "jpeg", "gif", "webp", "svg", "mp4", "mov", "webm",
  ]

  /// Answers an upload or a download; `rest` is the path after `assets`.
  func attachments(_ rest: [String]) -> LoopbackResponse {
    switch (request.method, rest.count) {
    case ("POST", 0): return upload()
    case ("GET", 1):
      let found = github.attachments.current.first { $0.url.hasSuffix("/\(rest[0])") }
      // Outside of a browser's session, nobody may see those of a private repository.
      guard let found, github.repository(id: found.repository)?.isPrivate == false else {
        return notFound
      }
      return LoopbackResponse(
        status: 200, headers: ["Content-Type": found.contentType, "ETag": "\"\(rest[0])\""],
        body: found.bytes)
    default: return notFound
    }
  }

  private func upload() -> LoopbackResponse {
    guard !isAnonymous else { return GitHubError.requiresAuthentication.response(now: now) }
    guard let name = request.queryValue("name"), let type = request.queryValue("content_type"),
      let id = request.queryValue("repository_id").flatMap({ Int($0) }),
      // Without write access, the repository seems to be missing.
      let repository = github.repository(id: id), permission >= .write
    else { return notFound }
    func refused(_ message: String) -> LoopbackResponse {
      .json("{\"message\":\(JSONText.string(message))}", status: 422)
    }
    guard Self.extensions.contains(where: { name.lowercased().hasSuffix(".\($0)") }) else {
      return refused("File type is not supported.")
    }
    guard !request.body.isEmpty, request.body.count <= github.configuration.attachmentSize else {
      return refused("File size is too large.")
    }
    let url = github.attachments.update { all in
      let digits = String(all.count + 1, radix: 16)
      let end = String(repeating: "0", count: 12 - digits.count) + digits
      let url = "\(json.root)/user-attachments/assets/5e1f0000-0000-4000-8000-\(end)"
      all.append(
        LoopbackAttachment(
          name: name, contentType: type, bytes: request.body, repository: repository.id, url: url))
      return url
    }
    return .json("{\"url\":\(JSONText.string(url))}", status: 201)
  }
}
