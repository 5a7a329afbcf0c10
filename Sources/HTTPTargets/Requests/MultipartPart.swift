public import PlatformModules

/// A part of a form sent as `multipart/form-data` ([RFC 7578](https://www.rfc-editor.org/rfc/rfc7578)).
///
/// ```swift
/// .multipart([
///   MultipartPart("title", text: "Giraffes"),
///   MultipartPart("photo", file: "/home/me/giraffe.jpeg", contentType: "image/jpeg"),
/// ])
/// ```
public struct MultipartPart: Sendable, Hashable {
  /// The content of a part.
  public enum Content: Sendable, Hashable {
    /// Bytes in memory.
    case bytes(Data)
    /// The bytes of the regular file at a path.
    case file(String)
    /// Bytes that a sequence produces while they are sent.
    case stream(RequestBody.Stream)
  }

  /// The name of the field.
  public var name: String
  /// The file name for the server; nil to send the part as a plain field.
  public var filename: String?
  /// The media type; nil to omit it, which means `text/plain`.
  public var contentType: String?
  /// The bytes.
  public var content: Content

  /// Creates a part from bytes in memory.
  public init(
    _ name: String, data: Data, filename: String? = nil, contentType: String? = nil
  ) {
    self.name = name
    self.filename = filename
    self.contentType = contentType
    content = .bytes(data)
  }

  /// Creates a part from text, encoded as UTF-8.
  public init(_ name: String, text: String, contentType: String? = nil) {
    self.init(name, data: Data(text.utf8), contentType: contentType)
  }

  /// Creates a part from a file.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - path: The path of the file. The size is read when the request is created, and the bytes while they are sent.
  ///   - filename: The file name for the server; nil for the last component of the path.
  ///   - contentType: The media type.
  public init(
    _ name: String, file path: String, filename: String? = nil,
    contentType: String = "application/octet-stream"
  ) {
    self.name = name
    self.filename = filename ?? path.split(separator: "/").last.map { String($0) } ?? ""
    self.contentType = contentType
    content = .file(path)
  }

  /// Creates a part from a stream. If the stream has no size, the whole form is sent in chunks.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - stream: The bytes.
  ///   - filename: The file name for the server; nil to send the part as a plain field.
  ///   - contentType: The media type.
  public init(
    _ name: String, stream: RequestBody.Stream, filename: String?,
    contentType: String = "application/octet-stream"
  ) {
    self.name = name
    self.filename = filename
    self.contentType = contentType
    content = .stream(stream)
  }
}

extension MultipartPart: CustomStringConvertible, CustomReflectable {
  /// The name of the field.
  public var description: String { "the part “\(name)”" }

  /// Shows only ``description``, because a part can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// Encodes the parts of a form (RFC 7578, section 4).
struct MultipartEncoding {
  let parts: [MultipartPart]

  func encode() throws(NetworkError) -> (body: RequestBody, boundary: String) {
    guard !parts.isEmpty else {
      throw NetworkError(.encoding, "a multipart body needs at least one part")
    }
    var contents: [RequestBody.Segment] = []
    var heads: [String] = []
    for part in parts {
      heads.append(try Self.head(of: part))
      switch part.content {
      case .bytes(let data): contents.append(.bytes(data))
      case .file(let path): contents.append(try RequestBody.Segment(file: path))
      case .stream(let stream): contents.append(.stream(stream))
      }
    }
    let boundary = boundary(heads, contents)
    var segments: [RequestBody.Segment] = []
    for (index, head) in heads.enumerated() {
      let before = index == 0 ? "" : "\r\n"
      segments.append(.bytes(Data("\(before)--\(boundary)\r\n\(head)\r\n".utf8)))
      segments.append(contents[index])
    }
    segments.append(.bytes(Data("\r\n--\(boundary)--\r\n".utf8)))
    return (RequestBody(segments: segments), boundary)
  }

  private static func head(of part: MultipartPart) throws(NetworkError) -> String {
    var head = "Content-Disposition: form-data; name=\"\(escape(part.name))\""
    if let filename = part.filename { head += "; filename=\"\(escape(filename))\"" }
    head += "\r\n"
    if let contentType = part.contentType {
      // Only printable ASCII, because a line break would begin another field or the content.
      guard contentType.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
        throw NetworkError(.encoding, "\(part) has an invalid content type")
      }
      head += "Content-Type: \(contentType)\r\n"
    }
    return head
  }

  /// Escapes a name as browsers do ([HTML, section 4.10.21.8](https://html.spec.whatwg.org/#multipart-form-data)).
  private static func escape(_ name: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": escaped.append(contentsOf: "%22".unicodeScalars)
      case "\r": escaped.append(contentsOf: "%0D".unicodeScalars)
      case "\n": escaped.append(contentsOf: "%0A".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  /// The boundary is derived from the parts, so that equal requests stay equal. It also depends on random numbers per
  /// process, because a file with a known boundary could end its own part and begin another one.
  private func boundary(_ heads: [String], _ contents: [RequestBody.Segment]) -> String {
    var attempt = 0
    while true {
      let words = Self.seeds.map { seed in
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(attempt)
        hasher.combine(heads)
        for content in contents { hasher.combine(content.size) }
        let digits = String(UInt(bitPattern: hasher.finalize()), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }
      let boundary = "part-\(words.joined())"
      let isFree = contents.allSatisfy { content in
        guard case .bytes(let data) = content else { return true }
        return unsafe data.withUnsafeBytes {
          unsafe ByteSearch.position(of: Array(boundary.utf8), in: $0) == nil
        }
      }
      if isFree { return boundary }
      attempt += 1
    }
  }

  private static let seeds = [
    UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max),
  ]
}
