internal import HTTPTargets

extension GitHubErrorBody {
  /// Returns advice on a rejected write as a clause without a period; nil if the server's message is sufficient.
  static func advice(on response: TargetResponse, _ body: GitHubErrorBody?) -> String? {
    let said = body?.message.lowercased() ?? ""
    switch response.status.code {
    case 301, 302, 307, 308:
      return "it has moved: look it up to learn its new name, and send the change there"
    case 401 where said.contains("bad credentials"):
      return "the token is wrong or has expired: use another one"
    case 403: return permissionAdvice(response, said)
    case 404:
      return "it doesn't exist, or the token may not write here: the server doesn't say which"
    case 410 where said.contains("deleted"): return "it can't be changed any more"
    case 410: return "issues are turned off in the settings of the repository"
    case 422: return body?.details.lazy.compactMap(\.advice).first
    case 500...599 where response.request.idempotency == .once:
      return "it may have been carried out: look before you send it again"
    default: return nil
    }
  }

  private static func permissionAdvice(_ response: TargetResponse, _ said: String) -> String? {
    if let url = response.headers[.gitHubSSO].flatMap(authorizationURL) {
      return "authorize the token for the organization within the hour: \(url)"
    }
    if said.contains("archived") { return "the repository is archived: unarchive it first" }
    if said.contains("locked") { return "only people with write access may comment on it" }
    guard let permissions = response.headers[.acceptedPermissions].map(line),
      !permissions.isEmpty
    else { return nil }
    return "the token needs the permission \(permissions)"
  }

  /// Returns the page to authorize a token for single sign-on, from `required; url=…`.
  private static func authorizationURL(_ field: String) -> String? {
    guard let mark = field.firstRange(of: "url=") else { return nil }
    let url = String(field[mark.upperBound...].prefix { $0 != ";" && $0 != "," && $0 != " " })
    guard url.utf8.count <= maximumSummaryLength, AbsoluteURL(url)?.origin.scheme == "https" else {
      return nil
    }
    return url
  }
}

extension GitHubErrorBody.Detail {
  fileprivate var advice: String? {
    switch (field, code) {
    case ("assignees", "invalid"):
      let logins = GitHubErrorBody.line(values.joined(separator: ", "))
      return logins.isEmpty
        ? "use the logins of people who can be assigned here"
        : "these users can't be assigned here: \(logins)"
    case ("milestone", "invalid"): return "use the number of one of the repository's milestones"
    case ("color", _): return "use six hexadecimal digits for a color, such as d73a4a"
    case (_, "already_exists"): return "the name is taken: edit the existing one, or use another"
    case ("title", "missing"), ("title", "missing_field"): return "give it a title"
    default: return nil
    }
  }
}

extension HTTPField.Name {
  static let gitHubSSO = HTTPField.Name("X-GitHub-SSO").known
  /// The permissions that a fine-grained token needs: alternative sets, separated by semicolons.
  static let acceptedPermissions = HTTPField.Name("X-Accepted-GitHub-Permissions").known
}
