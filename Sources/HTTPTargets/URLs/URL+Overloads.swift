public import HTTPTypes
public import PlatformModules

extension TargetRequest {
  /// Creates a request for a `URL`.
  public init(
    method: HTTPRequest.Method = .get, url: URL, headers: HTTPFields = [:],
    body: RequestBody? = nil, timeouts: Timeouts = Timeouts(),
    maximumBodySize: Int = defaultMaximumBodySize
  ) {
    self.init(
      method: method, url: url.absoluteString, headers: headers, body: body, timeouts: timeouts,
      maximumBodySize: maximumBodySize)
  }
}

extension Endpoint {
  /// Creates the endpoint of a target below a `URL`.
  public init(_ target: some TargetType, baseURL: URL) throws(NetworkError) {
    try self.init(target, baseURL: baseURL.absoluteString)
  }
}

extension HTTPTask {
  /// The bytes of the file at a file URL.
  public static func uploadFile(
    _ file: URL, contentType: String = "application/octet-stream", query: [QueryItem] = []
  ) -> HTTPTask {
    uploadFile(file.filePath, contentType: contentType, query: query)
  }

  /// A download to a file URL.
  public static func download(
    to file: URL, resuming isResuming: Bool = true, query: [QueryItem] = []
  ) -> HTTPTask {
    download(to: file.filePath, resuming: isResuming, query: query)
  }

  /// A download into the folder at a file URL.
  public static func download(into folder: URL, query: [QueryItem] = []) -> HTTPTask {
    download(into: folder.filePath, query: query)
  }

  /// Returns the task with its body, downloading to a file URL.
  public func downloading(to file: URL) -> HTTPTask { downloading(to: file.filePath) }

  /// Returns the task with its body, downloading into the folder at a file URL.
  public func downloading(into folder: URL) -> HTTPTask { downloading(into: folder.filePath) }
}

extension MultipartPart {
  /// Creates a part from the file at a file URL.
  public init(
    _ name: String, file: URL, filename: String? = nil,
    contentType: String = "application/octet-stream"
  ) {
    self.init(name, file: file.filePath, filename: filename, contentType: contentType)
  }
}

extension RequestBody {
  /// Creates a body from the file at a file URL.
  public init(file: URL) throws(NetworkError) {
    try self.init(file: file.filePath)
  }
}

extension URL {
  /// The path of a file URL. Another URL stays whole, so that the call fails with its text instead of using a local
  /// file with the same path.
  fileprivate var filePath: String {
    guard isFileURL else { return absoluteString }
    let path = path(percentEncoded: false)
    return path.count > 1 && path.last == "/" ? String(path.dropLast()) : path
  }
}
