public import HTTPTargets

/// The data that an organization with single sign-on withholds from an unauthorized classic token: the header field
/// `X-GitHub-SSO`
/// (<https://docs.github.com/en/rest/authentication/authenticating-to-the-rest-api#authenticating-with-a-personal-access-token>).
public enum SingleSignOn: Hashable, Sendable {
  /// The organization withholds all data. The user can authorize the token on this page within an hour.
  case required(page: String?)
  /// Organizations withhold some of the data, so the list is incomplete. They are identified by their IDs.
  case partialResults(organizations: [Int64])

  /// Whether all data is withheld.
  public var isRequired: Bool { if case .required = self { true } else { false } }

  /// Parses the header field; nil if no data is withheld.
  public init?(_ headers: HTTPFields) {
    guard let value = headers[.singleSignOn] else { return nil }
    let parts = value.split(separator: ";", maxSplits: 1).map { part in
      String(part.drop { $0 == " " })
    }
    let parameter = parts.count > 1 ? parts[1].split(separator: "=", maxSplits: 1) : []
    let text = parameter.count > 1 ? String(parameter[1]) : nil
    switch parts.first {
    case "required": self = .required(page: text)
    case "partial-results":
      let ids = (text ?? "").split(separator: ",").compactMap { part in
        Int64(part.filter { $0 != " " })
      }
      self = .partialResults(organizations: ids)
    default: return nil
    }
  }
}

extension Plugin {
  /// Reports data that single sign-on withholds from a response, including one in the cache.
  ///
  /// - Parameter onFinding: Called with each finding, once per call.
  /// - Returns: The plugin.
  public static func singleSignOn(
    onFinding: @escaping @Sendable (SingleSignOn) -> Void
  ) -> Plugin {
    Plugin(process: { result, _ in
      if case .success(let response) = result, let finding = SingleSignOn(response.headers) {
        onFinding(finding)
      }
      return result
    })
  }
}

extension HTTPField.Name {
  fileprivate static let singleSignOn = HTTPField.Name("X-GitHub-SSO").known
}
