internal import GitHubAPI
public import HTTPTargets
internal import PlatformModules

extension IssueWriter {
  /// Uploads a file that texts in this repository can refer to. Nobody sees it until a text refers to it. Each upload
  /// has a new address, and can't be listed or deleted.
  ///
  /// - Parameters:
  ///   - file: The path of the file.
  ///   - name: The name that the server stores.
  ///   - contentType: The media type, such as `image/png`.
  ///   - number: The issue whose texts refer to the file, which Forgejo and Gitea require.
  ///   - onProgress: Receives the progress.
  /// - Returns: The address for texts, an absolute https URL without spaces or parentheses.
  /// - Throws: ``/HTTPTargets/NetworkError``. Its code is ``/GitHubAPI/HTTPTargets/NetworkError/Code/forbidden`` without
  ///   write access to the repository, and ``/GitHubAPI/HTTPTargets/NetworkError/Code/refused``, before anything is
  ///   sent, if the server doesn't store attachments.
  public func upload(
    _ file: String, named name: String, contentType: String, to number: Int? = nil,
    onProgress: @Sendable (TransferProgress) -> Void = { _ in }
  ) async throws(NetworkError) -> String {
    let target = try await target(file, name, contentType, number)
    do throws(NetworkError) {
      for try await event in provider.events(target) {
        switch event {
        case .progress(let progress): onProgress(progress)
        case .completed(let response):
          let answer = try response.decode(UploadedAttachment.self, using: GitHubJSON.decoder())
          guard Self.isPlain(answer.url) else { throw Self.otherAnswer }
          return answer.url
        }
      }
    } catch {
      // GitHub doesn't reveal whether the repository exists, but this token has just seen it.
      guard error.response?.status == .notFound else { throw error }
      var refusal = NetworkError(
        .forbidden, "attaching files requires write access to \(self.repository)",
        response: error.response)
      refusal.bytesSent = error.bytesSent
      throw refusal
    }
    throw NetworkError(.cancelled, "the upload was canceled")
  }

  private func target(
    _ file: String, _ name: String, _ contentType: String, _ number: Int?
  ) async throws(NetworkError) -> GitHub {
    guard !isOnGitea else {
      guard let number else { throw .lacking(provider.forge, "files without an issue") }
      return .uploadAsset(
        repositoryFullName: "\(repository)", number: number, name: name,
        contentType: contentType, file: file)
    }
    do throws(NetworkError) {
      let id = try await provider.repository(repository).id
      return .uploadAttachment(
        repositoryID: id, name: name, contentType: contentType, file: file)
    } catch {
      throw error.ofNothingWritten
    }
  }

  /// Whether an address can be part of a Markdown image, which it can't leave.
  private static func isPlain(_ address: String) -> Bool {
    guard let url = AbsoluteURL(address), address.utf8.count <= 1_024,
      url.origin.scheme == "https" || url.origin.isLoopback
    else { return false }
    return address.utf8.allSatisfy {
      $0.isASCIILetterOrDigit || "-._~/:%?=&".utf8.contains($0)
    }
  }
}
