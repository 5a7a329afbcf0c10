public import HTTPTargets

/// The data that an organization with single sign-on withholds from a classic token that isn't authorised for it: the
/// header field `X-GitHub-SSO`
/// (<https://docs.github.com/en/rest/authentication/authenticating-to-the-rest-api#authenticating-with-a-personal-access-token>).
public enum SingleSignOn: Hashable, Sendable {
  /// Everything. The page authorises the token, for an hour from now.
  case required(page: String?)
  /// A part: the list is incomplete. The organizations are identified by their ids.
  case partialResults(organizations: [Int64])

  /// Whether everything is withheld.
  public var isRequired: Bool { if case .required = self { true } else { false } }

  /// Reads the field; nil if nothing is withheld.
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
  /// - Parameter onFinding: Called with each finding, once for each call.
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
