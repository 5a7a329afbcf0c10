internal import GitHubAPI
internal import HTTPTargets

extension ExitStatus {
  /// The status of a failed request. This is the only such table, for reads, writes, and the outbox.
  init(_ error: NetworkError) {
    self =
      switch error.code {
      case .cancelled: .cancelled
      case .rateLimited: .rateLimited
      case .statusCode:
        Self(answer: error.isOfUnsearchable ? 404 : error.response?.status.code ?? 0)
      case .absent: .notFound
      case .forbidden: .badCredentials
      case .refused, .requestMapping, .encoding: .usage
      case .transport
      where [.malformedResponse, .contentEncoding].contains(error.transportFailure?.reason):
        .badAnswer
      case .transport, .timedOut: .network
      case .tooLarge, .insecureRedirect, .tooManyRedirects, .decoding: .badAnswer
      default: .failed
      }
  }

  private init(answer code: Int) {
    self =
      switch code {
      case 401, 403: .badCredentials
      case 404, 410, 451: .notFound
      // Forgejo and Gitea answer 412 if an issue is blocked, and 423 in an archived repository.
      case 400, 409, 412, 422, 423: .usage
      case 500..<600: .network
      default: .badAnswer
      }
  }
}
