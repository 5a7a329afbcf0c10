public import HTTPTargets
public import PlatformModules

extension Plugin {
  /// Explains responses with an error status with GitHub's message. A response that requires the client to wait becomes
  /// ``/HTTPTargets/NetworkError/Code/rateLimited``. The message of a rejected write also contains advice.
  ///
  /// - Parameter now: Returns the local time, which is used to calculate the end of a limit.
  /// - Returns: The plugin.
  public static func gitHubErrors(now: @escaping @Sendable () -> Date = { Date() }) -> Plugin {
    let errors = GitHubErrors(now: now)
    return Plugin(process: { errors.process($0, target: $1) })
  }
}

struct GitHubErrors: Sendable {
  var now: @Sendable () -> Date = { Date() }

  func process(
    _ result: Result<TargetResponse, NetworkError>, target: any TargetType
  ) -> Result<TargetResponse, NetworkError> {
    switch (target as? GitHub, result) {
    case (.mutate?, .success(let response)), (.nodeIDs?, .success(let response)):
      return GraphQLErrors.error(in: response).map { .failure($0) } ?? result
    // An item that the token may not see is null, with an error for its path: the rest of the response is valid.
    case (.development?, .success(let response)), (.branch?, .success(let response)):
      return GraphQLErrors.error(in: response, above: 3).map { .failure($0) } ?? result
    case (.project?, .success(let response)):
      return GraphQLErrors.error(in: response, above: 2).map { .failure($0) } ?? result
    default: break
    }
    guard case .failure(let error) = result, error.code == .statusCode,
      let response = error.response
    else { return result }
    let body = GitHubErrorBody(response.body)
    var explained = error
    if let limit = RateLimit(response, body, now: now()) {
      explained.code = .rateLimited
      explained.message = limit.message
      if body?.message.contains("content creation") == true {
        explained.message += ": too much was created recently, so nothing was created now"
      }
      explained.retryDate = limit.retryDate
      return .failure(explained)
    }
    let said = body?.summary(hidingSecretsOf: response.request) ?? ""
    if !said.isEmpty { explained.message = "\(response.statusLine): \(said)" }
    if let target = target as? GitHub, target.effectiveIdempotency != .safe,
      let advice = GitHubErrorBody.advice(on: response, body)
    {
      explained.message.add(advice: Redaction.hiding(secretsOf: response.request, in: advice))
    }
    return .failure(explained)
  }
}

extension NetworkError.Code {
  /// The server rejected a request with a successful status, as the GraphQL API does.
  public static let refused = NetworkError.Code(rawValue: "refused")
  /// The requested object doesn't exist, according to a lookup or the GraphQL API, which doesn't use a status for this.
  public static let absent = NetworkError.Code(rawValue: "absent")
  /// A name that must be unique is taken, according to a lookup.
  package static let nameIsTaken = NetworkError.Code(rawValue: "name-is-taken")
  /// The GraphQL API reports that the token lacks permission.
  public static let forbidden = NetworkError.Code(rawValue: "forbidden")
}

/// The body of a failed response. It may contain `message` or `error`, its `errors` may be objects or strings, and an
/// HTML page may be labeled as JSON. Unknown parts are ignored.
package struct GitHubErrorBody: Hashable, Sendable {
  /// A problem with the request.
  package struct Detail: Hashable, Sendable {
    /// The kind of resource, such as `Label`.
    package var resource: String?
    /// The field of the resource.
    package var field: String?
    /// The kind of problem, such as `invalid` or `missing_field`.
    package var code: String?
    /// A description of the problem.
    package var message: String?
    /// The invalid values that are strings.
    package var values: [String]

    /// Creates a detail.
    package init(
      resource: String? = nil, field: String? = nil, code: String? = nil, message: String? = nil,
      values: [String] = []
    ) {
      self.resource = resource
      self.field = field
      self.code = code
      self.message = message
      self.values = values
    }
  }

  /// The server's message: untrusted text of any length.
  package let message: String
  /// The URL of the documentation, which is the only indication of some limits.
  package let documentationURL: String?
  /// The details, in order.
  package let details: [Detail]

  /// Creates a body.
  package init(message: String, documentationURL: String? = nil, details: [Detail] = []) {
    self.message = message
    self.documentationURL = documentationURL
    self.details = details
  }

  /// Decodes the body of a response; nil if it isn't a JSON object with a message.
  package init?(_ body: Data) {
    guard let decoded = try? GitHubJSON.decode(Self.self, from: body) else { return nil }
    self = decoded
  }

  /// The maximum length of a summary in code points. A single character can contain megabytes of combining marks.
  static let maximumSummaryLength = 300

  /// The message and the details on one line of at most 300 code points, without control characters.
  package var summary: String { Self.summary(of: sentences) }

  /// Returns the summary with masked secrets of the request. They are masked before the text is shortened, because a
  /// part of a secret wouldn't be found.
  package func summary(hidingSecretsOf request: TargetRequest) -> String {
    Self.summary(of: sentences.map { Redaction.hiding(secretsOf: request, in: $0) })
  }

  private var sentences: [String] { [message] + details.prefix(10).map(\.summary) }

  private static func summary(of sentences: [String]) -> String {
    // Limits the processing of a large body.
    let most = maximumSummaryLength + 1
    let text = sentences.lazy.map { String($0.unicodeScalars.prefix(most)) }
      .filter { !$0.isEmpty }
    return line(text.joined(separator: ": "))
  }

  /// Returns text from a server on one line of limited length, without control characters.
  package static func line(_ text: String) -> String {
    text.onOneLine(atMost: maximumSummaryLength)
  }
}

extension GitHubErrorBody.Detail {
  fileprivate var summary: String {
    message ?? [resource, field, code].compactMap { $0 }.joined(separator: " ")
  }
}

extension GitHubErrorBody: Decodable {
  private enum CodingKeys: String, CodingKey {
    case message
    case error
    case documentationURL = "documentation_url"
    case errors
  }

  /// Decodes a body with a `message`, or with an `error` in its place.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let message = try? container.decode(String.self, forKey: .message) {
      self.message = message
    } else {
      message = try container.decode(String.self, forKey: .error)
    }
    documentationURL = try? container.decode(String.self, forKey: .documentationURL)
    if let details = try? container.decode([Detail].self, forKey: .errors) {
      self.details = details
    } else {
      details = (try? container.decode(Detail.self, forKey: .errors)).map { [$0] } ?? []
    }
  }
}

extension GitHubErrorBody.Detail: Decodable {
  private enum CodingKeys: String, CodingKey {
    case resource
    case field
    case code
    case message
    case value
  }

  /// Decodes a detail from an object, or from a string with its message.
  package init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
      self.init(message: try decoder.singleValueContainer().decode(String.self))
      return
    }
    self.init(
      resource: try? container.decode(String.self, forKey: .resource),
      field: try? container.decode(String.self, forKey: .field),
      code: try? container.decode(String.self, forKey: .code),
      message: try? container.decode(String.self, forKey: .message),
      values: (try? container.decode([String].self, forKey: .value))
        ?? (try? container.decode(String.self, forKey: .value)).map { [$0] } ?? [])
  }
}

extension String {
  /// Appends advice to a server's message, in place of its full stop.
  mutating func add(advice: String) {
    if last == "." { removeLast() }
    self += "; \(advice)"
  }
}
