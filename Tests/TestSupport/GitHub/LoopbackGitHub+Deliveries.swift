internal import CTLS
internal import PlatformModules

extension LoopbackGitHub {
  /// The body of a webhook's delivery about the present state of an issue, or of one of its comments.
  ///
  /// https://docs.github.com/en/webhooks/webhook-events-and-payloads
  ///
  /// - Parameters:
  ///   - action: The action, such as `opened`.
  ///   - number: The number of the issue.
  ///   - index: The index of the comment; nil for none.
  ///   - repository: The repository.
  ///   - changes: JSON of the member `changes`.
  /// - Returns: The JSON.
  public func delivery(
    _ action: String, issue number: Int, comment index: Int? = nil,
    of repository: LoopbackRepository,
    changes: String = "{}"
  ) -> String {
    let store = store(of: repository)
    let json = GitHubJSON(root: "https://api.github.com") { number, _ in
      store.read { $0.milestone(number) }
    }
    var members = ["\"action\":\(JSONText.string(action))", "\"changes\":\(changes)"]
    if let issue = store.read({ $0.issue(number) }) {
      members.append("\"issue\":\(json.issue(issue, in: repository))")
      let comments = store.read { $0.comments(on: number) }
      if let comment = comments.first(where: { $0.index == index }) {
        members.append("\"comment\":\(json.comment(comment, of: issue, in: repository))")
      }
    }
    members.append("\"repository\":\(json.repository(repository, openIssues: 0))")
    return "{\(members.joined(separator: ","))}"
  }
}

/// The signature of a webhook's delivery.
public enum WebhookSignature {
  /// The value of `X-Hub-Signature-256`.
  public static func of(_ body: String, secret: String) -> String {
    precondition(TLSLibrary.problem == nil, "OpenSSL isn't on this machine")
    var code = [UInt8](repeating: 0, count: 32)
    let (key, message) = (Array(secret.utf8), Array(body.utf8))
    _ = ctls_authenticate(key, CInt(key.count), message, UInt(message.count), &code)
    return "sha256="
      + code.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count < 2 ? "0\(digits)" : digits
      }.joined()
  }
}
