internal import HTTPTypes
public import PlatformModules

/// The query and the body of a request. A query can accompany any body.
public struct HTTPTask: Sendable {
  /// The items appended to the URL.
  public var query: [QueryItem]
  var body: Body
  /// The destination of the response's body; nil to keep it in memory.
  var destination: DownloadDestination?
  var allowsGET = false

  enum Body: Sendable {
    case none
    case data(Data, contentType: String?)
    case json(any Encodable & Sendable, JSONEncoder?)
    case form([QueryItem])
    case multipart([MultipartPart])
    case file(path: String, contentType: String)
    case stream(RequestBody.Stream, contentType: String)
  }

  /// A task without a query or a body.
  public static let plain = HTTPTask(query: [], body: .none)

  /// A task with a query and without a body.
  public static func query(_ items: [QueryItem]) -> HTTPTask {
    HTTPTask(query: items, body: .none)
  }

  /// Bytes, sent unchanged. `contentType` is used if the target doesn't set its own `Content-Type`.
  public static func data(
    _ data: Data, contentType: String? = nil, query: [QueryItem] = []
  ) -> HTTPTask {
    HTTPTask(query: query, body: .data(data, contentType: contentType))
  }

  /// A value encoded as JSON, with `Content-Type: application/json` unless the target sets its own. If the value can't
  /// be encoded (such as `Float.infinity`), the call throws ``NetworkError/Code/encoding`` and sends nothing.
  ///
  /// The default encoder sorts the keys, so that equal values give equal bytes. Caching and the comparison of requests
  /// rely on that.
  public static func json(
    _ value: some Encodable & Sendable, encoder: JSONEncoder? = nil, query: [QueryItem] = []
  ) -> HTTPTask {
    HTTPTask(query: query, body: .json(value, encoder))
  }

  /// A form, with `Content-Type: application/x-www-form-urlencoded` unless the target sets its own.
  public static func form(_ items: [QueryItem], query: [QueryItem] = []) -> HTTPTask {
    HTTPTask(query: query, body: .form(items))
  }

  /// A form with files: `multipart/form-data` ([RFC 7578](https://www.rfc-editor.org/rfc/rfc7578)), regardless of the
  /// target's `Content-Type`.
  ///
  /// Files are read while they are sent. Quotes and line breaks in names are escaped as in browsers: `%22`,
  /// `%0D`, `%0A`.
  ///
  /// Before anything is sent, the call fails with ``NetworkError/Code/encoding`` if there are no parts or a file
  /// can't be read, and with ``NetworkError/Code/requestMapping`` for methods other than `POST`, `PUT` and
  /// `PATCH`.
  public static func multipart(_ parts: [MultipartPart], query: [QueryItem] = []) -> HTTPTask {
    HTTPTask(query: query, body: .multipart(parts))
  }

  /// The bytes of a file, read in parts while they are sent. `contentType` is used if the target doesn't set its own
  /// `Content-Type`.
  ///
  /// If the file isn't a readable regular file, the call fails with ``NetworkError/Code/encoding`` before
  /// anything is sent. A large file may need more time than the target's ``Timeouts/total``.
  public static func uploadFile(
    _ path: String, contentType: String = "application/octet-stream", query: [QueryItem] = []
  ) -> HTTPTask {
    HTTPTask(query: query, body: .file(path: path, contentType: contentType))
  }

  /// The bytes that a sequence produces while they are sent. `contentType` is used if the target doesn't set its own
  /// `Content-Type`.
  ///
  /// A long stream may need more time than the target's ``Timeouts/total``.
  public static func upload(
    _ stream: RequestBody.Stream, contentType: String = "application/octet-stream",
    query: [QueryItem] = []
  ) -> HTTPTask {
    HTTPTask(query: query, body: .stream(stream, contentType: contentType))
  }

  /// A task without a body. The body of the response is written to a file.
  ///
  /// The bytes are written to `.NAME.partial` next to the destination. Only this user can read that file, and it is
  /// renamed when it is complete. So the destination is always either the old file or the complete new one. A symbolic
  /// link is followed. Only a 2xx response that passes the target's validation is written. The body of any other
  /// response is in memory. ``TargetResponse/file`` is the path, and ``TargetResponse/body`` is empty.
  ///
  /// The next attempt (a retry or a new call) resumes an interrupted download, if the server identified its version
  /// with a strong `ETag` or `Last-Modified`, and still has that version ([RFC 9110, section
  /// 14](https://www.rfc-editor.org/rfc/rfc9110#section-14)). Only an uncompressed body can be resumed, so the request
  /// has `Accept-Encoding: identity`. A response assembled from parts has status 200. If two downloads to the same path
  /// run at the same time, the second one uses its own temporary file and starts from the beginning.
  ///
  /// The size is unlimited unless ``Endpoint/maximumBodySize`` is set. A large file may need more time than the
  /// target's ``Timeouts/total``.
  ///
  /// - Parameters:
  ///   - path: The path of the file. If its folder doesn't exist, the call fails with ``NetworkError/Code/writing``,
  ///     and nothing is sent.
  ///   - isResuming: Whether to keep and resume a partial download.
  ///   - query: The items appended to the URL.
  /// - Returns: The task.
  public static func download(
    to path: String, resuming isResuming: Bool = true, query: [QueryItem] = []
  ) -> HTTPTask {
    HTTPTask(
      query: query, body: .none,
      destination: DownloadDestination(path: path, isResuming: isResuming, isFolder: false))
  }

  /// A task without a body. The body of the response is written to a file in a folder, under a name from the response.
  ///
  /// The name is from `Content-Disposition` ([RFC 6266](https://www.rfc-editor.org/rfc/rfc6266)), or else the last
  /// segment of the URL after all redirects. Regardless of this name, the file stays inside the folder and isn't
  /// hidden. An existing file is kept, and the new one is named `name-2.gz`. ``TargetResponse/file`` is the path. The
  /// file appears only when it is complete. An interrupted download starts from the beginning.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder. If it doesn't exist, the call fails with ``NetworkError/Code/writing``, and
  ///     nothing is sent.
  ///   - query: The items appended to the URL.
  /// - Returns: The task.
  public static func download(into folder: String, query: [QueryItem] = []) -> HTTPTask {
    HTTPTask.query(query).downloading(into: folder)
  }

  /// Returns the task with its body. The response is written to a file as in
  /// ``download(to:resuming:query:)-(String,_,_)``, but always from the beginning.
  public func downloading(to path: String) -> HTTPTask {
    downloading(DownloadDestination(path: path, isResuming: false, isFolder: false))
  }

  /// Returns the task with its body. The response is written to a folder as in ``download(into:query:)-(String,_)``.
  public func downloading(into folder: String) -> HTTPTask {
    downloading(DownloadDestination(path: folder, isResuming: false, isFolder: true))
  }

  private func downloading(_ destination: DownloadDestination) -> HTTPTask {
    var task = self
    task.destination = destination
    return task
  }

  /// Returns the task with permission for a `GET` with a body, which is refused by default.
  ///
  /// Such a body has no defined meaning in HTTP, and a proxy may drop or refuse it ([RFC 9110, section
  /// 9.3.1](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.1)). A few APIs require one anyway, such as the search
  /// of Elasticsearch.
  public func allowingGET() -> HTTPTask {
    var task = self
    task.allowsGET = true
    return task
  }

  func encodedBody() throws(NetworkError) -> (body: RequestBody, contentType: String?)? {
    switch body {
    case .none:
      return nil
    case .data(let data, let contentType):
      return (RequestBody(data), contentType)
    case .json(let value, let encoder):
      let encoder = encoder ?? Self.sortingEncoder()
      do {
        return (RequestBody(try encoder.encode(value)), "application/json")
      } catch {
        throw NetworkError(
          .encoding, "the body can't be encoded as JSON: \(Self.explain(error))",
          underlying: error)
      }
    case .form(let items):
      let form = Data(QueryItem.encode(items).utf8)
      return (RequestBody(form), "application/x-www-form-urlencoded")
    case .multipart(let parts):
      let (body, boundary) = try MultipartEncoding(parts: parts).encode()
      return (body, "multipart/form-data; boundary=\(boundary)")
    case .file(let path, let contentType):
      return (try RequestBody(file: path), contentType)
    case .stream(let stream, let contentType):
      return (RequestBody(stream), contentType)
    }
  }

  var isMultipart: Bool {
    if case .multipart = body { true } else { false }
  }

  func problem(with method: HTTPRequest.Method) -> String? {
    if case .multipart = body, ![.post, .put, .patch].contains(method) {
      return "\(method.rawValue) can't have a multipart body"
    }
    return destination != nil && method == .head ? "HEAD has nothing to download" : nil
  }

  /// Describes the error without the value, which may be a secret.
  private static func explain(_ error: any Error) -> String {
    guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
    let path = context.codingPath.place
    return path.isEmpty ? context.debugDescription : "\(context.debugDescription) at \(path)"
  }

  private static func sortingEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension HTTPTask: CustomStringConvertible, CustomReflectable {
  /// The query with masked secrets, and the kind of the body.
  public var description: String {
    let query = query.isEmpty ? [] : ["?\(Redaction.url(QueryItem.encode(query)))"]
    let body =
      switch body {
      case .none: [] as [String]
      case .data(let data, _): ["\(data.count) bytes"]
      case .json: ["a JSON body"]
      case .form: ["a form"]
      case .multipart(let parts): ["a form of \(parts.count) parts"]
      case .file: ["a file"]
      case .stream: ["a stream"]
      }
    let all = query + body + (destination == nil ? [] : ["a download"])
    return all.isEmpty ? "plain" : all.joined(separator: " and ")
  }

  /// Shows only ``description``, because bodies can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

struct DownloadDestination: Sendable, Hashable {
  let path: String
  let isResuming: Bool
  /// Whether the path is a folder, and the response determines the file name.
  let isFolder: Bool
}
