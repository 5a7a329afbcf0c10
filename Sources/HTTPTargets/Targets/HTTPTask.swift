#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What goes with a request: a query, and a body. A query can stand beside any body.
public struct HTTPTask: Sendable {
  /// The items appended to the URL.
  public var query: [QueryItem]
  var body: Body

  enum Body: Sendable {
    case none
    case data(Data, contentType: String?)
    case json(any Encodable & Sendable, JSONEncoder?)
    case form([QueryItem])
  }

  /// Neither query nor body.
  public static let plain = HTTPTask(query: [], body: .none)

  /// A query and no body.
  public static func query(_ items: [QueryItem]) -> HTTPTask {
    HTTPTask(query: items, body: .none)
  }

  /// Bytes as they are.
  ///
  /// - Parameters:
  ///   - data: The body.
  ///   - contentType: The media type, used when the target sets no `Content-Type` of its own.
  ///   - query: The items appended to the URL.
  /// - Returns: The task.
  public static func data(
    _ data: Data, contentType: String? = nil, query: [QueryItem] = []
  ) -> HTTPTask {
    HTTPTask(query: query, body: .data(data, contentType: contentType))
  }

  /// A value encoded as JSON, with `Content-Type: application/json` unless the target sets its own.
  ///
  /// Without an encoder of your own the keys are sorted: the same value gives the same bytes every
  /// time, which caching and comparing requests rely on.
  ///
  /// - Parameters:
  ///   - value: The value; one that can't be encoded (`Float.infinity`) fails the call with
  ///     ``NetworkError/Code/encoding`` before anything is sent.
  ///   - encoder: Your own encoder.
  ///   - query: The items appended to the URL.
  /// - Returns: The task.
  public static func json(
    _ value: some Encodable & Sendable, encoder: JSONEncoder? = nil, query: [QueryItem] = []
  ) -> HTTPTask {
    HTTPTask(query: query, body: .json(value, encoder))
  }

  /// A form, `application/x-www-form-urlencoded` unless the target sets a `Content-Type` of its own.
  public static func form(_ items: [QueryItem], query: [QueryItem] = []) -> HTTPTask {
    HTTPTask(query: query, body: .form(items))
  }

  /// The bytes of the body and their media type; nil without a body.
  func encodedBody() throws(NetworkError) -> (data: Data, contentType: String?)? {
    switch body {
    case .none:
      return nil
    case .data(let data, let contentType):
      return (data, contentType)
    case .json(let value, let encoder):
      let encoder = encoder ?? Self.sortingEncoder()
      do {
        return (try encoder.encode(value), "application/json")
      } catch {
        throw NetworkError(
          .encoding, "the body can't be encoded as JSON: \(Self.explain(error))",
          underlying: error)
      }
    case .form(let items):
      return (Data(QueryItem.encode(items).utf8), "application/x-www-form-urlencoded")
    }
  }

  /// What is wrong and where, without the value: it may be a secret.
  private static func explain(_ error: any Error) -> String {
    guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
    let path = context.codingPath.map { key in
      key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }.joined()
    return path.isEmpty ? context.debugDescription : "\(context.debugDescription) at \(path)"
  }

  private static func sortingEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension HTTPTask: CustomStringConvertible, CustomReflectable {
  /// The query without its secrets, and the kind of the body.
  public var description: String {
    let query = query.isEmpty ? [] : ["?\(Redaction.url(QueryItem.encode(query)))"]
    let body =
      switch body {
      case .none: [] as [String]
      case .data(let data, _): ["\(data.count) bytes"]
      case .json: ["a JSON body"]
      case .form: ["a form"]
      }
    return query.isEmpty && body.isEmpty ? "plain" : (query + body).joined(separator: " and ")
  }

  /// Shows what ``description`` shows: bodies hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
