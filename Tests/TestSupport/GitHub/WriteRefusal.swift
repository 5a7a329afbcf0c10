/// A refused write, in GitHub's words.
struct WriteRefusal: Error {
  var status: Int
  var message: String
  /// The elements of `errors`, as JSON.
  var errors: [String] = []
  var headers: LoopbackHeaders = [:]
  /// A complete answer in place of all this.
  var response: LoopbackResponse?

  /// The answer.
  ///
  /// - Parameter page: The page for `documentation_url`, below `https://docs.github.com/rest/`.
  /// - Returns: The answer, without the headers common to all answers.
  func response(about page: String) -> LoopbackResponse {
    if let response { return response }
    let list = errors.isEmpty ? "" : "\"errors\":\(JSONText.array(errors)),"
    return .json(
      """
      {"message":\(JSONText.string(message)),\(list)\
      "documentation_url":"https://docs.github.com/rest/\(page)","status":"\(status)"}
      """, status: status, headers: headers)
  }

  static func answer(_ response: LoopbackResponse) -> WriteRefusal {
    WriteRefusal(status: response.status, message: "", response: response)
  }

  /// 422 with one object about a field.
  static func invalid(
    _ resource: String, _ field: String, _ code: String = "invalid", message: String? = nil
  ) -> WriteRefusal {
    let text = message.map { ",\"message\":\(JSONText.string($0))" } ?? ""
    return WriteRefusal(
      status: 422, message: "Validation Failed",
      errors: [#"{"resource":"\#(resource)","code":"\#(code)","field":"\#(field)"\#(text)}"#])
  }

  static let unknownMilestone = WriteRefusal(
    status: 422, message: "Validation Failed",
    errors: [#"{"resource":"Issue","field":"milestone","code":"invalid"}"#])

  /// 422 with the logins that can't be assigned.
  static func unassignable(_ logins: [String]) -> WriteRefusal {
    let value = JSONText.array(logins.map { JSONText.string($0) })
    return WriteRefusal(
      status: 422, message: "Validation Failed",
      errors: [#"{"value":\#(value),"resource":"Issue","field":"assignees","code":"invalid"}"#])
  }

  /// 422 for a request that breaks its schema, with only a message.
  static func invalidRequest(_ reason: String) -> WriteRefusal {
    WriteRefusal(status: 422, message: "Invalid request.\n\n\(reason)")
  }

  static func missing(_ field: String) -> WriteRefusal {
    .invalidRequest("\"\(field)\" wasn't supplied.")
  }

  static let unreadable = WriteRefusal(status: 400, message: "Problems parsing JSON")
  static let noObject = WriteRefusal(status: 400, message: "Body should be a JSON object")
  static let requiresAuthentication = WriteRefusal(
    status: 401, message: "Requires authentication")
  static let archived = WriteRefusal(
    status: 403, message: "Repository was archived so is read-only.")
  static let locked = WriteRefusal(
    status: 403, message: "Unable to create comment because issue is locked.")
  static let forbidden = WriteRefusal(
    status: 403, message: "Resource not accessible by personal access token",
    headers: ["X-Accepted-GitHub-Permissions": "issues=write"])
  /// 404 for an absent object, or one that the caller may not know of.
  static let notFound = WriteRefusal(
    status: 404, message: "Not Found", headers: ["X-Accepted-OAuth-Scopes": "repo"])
  static let noLabel = WriteRefusal(status: 404, message: "Label does not exist")
}
