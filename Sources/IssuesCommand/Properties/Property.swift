internal import IssueTracker

/// A label or a milestone that is created, changed or deleted.
struct Property: Sendable, CustomStringConvertible {
  enum Kind: String, Sendable {
    case label
    case milestone
  }

  let kind: Kind
  let name: String
  var isNew = false

  var description: String { "the \(kind) “\(name)”" }

  /// Explains an error; nil if it isn't about labels or milestones.
  func explanation(
    of error: NetworkError, in place: Place, naming newName: String?
  ) -> CommandFailure? {
    let list = "'issues \(kind) list -R \(place)'"
    if error.saysNameIsTaken {
      let name = newName ?? name
      return CommandFailure(.usage, "\(place) already has a \(kind) “\(name)”\n\(advice(name))")
    }
    if error.response?.status == .notFound {
      return isNew
        ? CommandFailure(
          .notFound,
          """
          the token may not create a \(kind) in \(place), or can't see it
          It requires write access. Check the name of the repository, too.
          """)
        : CommandFailure(
          .notFound,
          """
          \(place) has no \(kind) “\(name)”, or the token may not change it
          See \(list).
          """)
    }
    // The other changes can be repeated without harm.
    guard isNew, error.losesAnswer else { return nil }
    return CommandFailure(
      .network,
      """
      the response was lost, so the \(kind) “\(name)” may have been created: \(error.problem)
      Look with \(list) before you try again.
      """)
  }

  private func advice(_ name: String) -> String {
    guard isNew, kind == .label else { return "Change it with 'issues \(kind) edit'." }
    return "Change it with 'issues label edit', or with --force and the same options."
  }
}

extension NetworkError {
  /// Whether the name exists already
  /// (<https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api#validation-failed>).
  var saysNameIsTaken: Bool {
    if code == .nameIsTaken { return true }
    guard response?.status == .unprocessableContent, let body = response?.body else { return false }
    return String(decoding: body, as: UTF8.self).contains("already_exists")
  }

  /// Whether the request may have reached the server.
  fileprivate var losesAnswer: Bool {
    guard bytesSent != 0 else { return false }
    switch code {
    case .transport, .timedOut: return true
    case .statusCode: return response.map { $0.status.code >= 500 } ?? false
    default: return false
    }
  }
}
