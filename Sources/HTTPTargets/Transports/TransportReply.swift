public import HTTPTypes

/// The head of an answer, and its body on the way.
public struct TransportReply: Sendable {
  /// The status.
  public var status: HTTPResponse.Status
  /// The header fields.
  public var headers: HTTPFields
  /// The body, decompressed, as it arrives.
  public var body: ResponseBody

  /// Creates a reply.
  public init(status: HTTPResponse.Status, headers: HTTPFields, body: ResponseBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension TransportReply: CustomStringConvertible, CustomReflectable {
  /// The status.
  public var description: String { "status \(status.code)" }

  /// Shows what ``description`` shows: header fields can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
