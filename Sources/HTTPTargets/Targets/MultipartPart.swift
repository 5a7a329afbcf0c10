#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A part of a form that is sent as `multipart/form-data`
/// ([RFC 7578](https://www.rfc-editor.org/rfc/rfc7578)).
///
/// ```swift
/// .multipart([
///   MultipartPart("title", text: "Giraffes"),
///   MultipartPart("photo", file: "/home/me/giraffe.jpeg", contentType: "image/jpeg"),
/// ])
/// ```
public struct MultipartPart: Sendable, Hashable {
  /// Where the bytes of a part are.
  public enum Content: Sendable, Hashable {
    /// In memory.
    case bytes(Data)
    /// In the regular file at a path.
    case file(String)
  }

  /// The name of the field.
  public var name: String
  /// The name of the file; nil for a part that is none to the server.
  public var filename: String?
  /// The media type; nil to leave it out, which means `text/plain`.
  public var contentType: String?
  /// The bytes.
  public var content: Content

  /// Creates a part of bytes in memory.
  public init(
    _ name: String, data: Data, filename: String? = nil, contentType: String? = nil
  ) {
    self.name = name
    self.filename = filename
    self.contentType = contentType
    content = .bytes(data)
  }

  /// Creates a part of text, as UTF-8.
  public init(_ name: String, text: String, contentType: String? = nil) {
    self.init(name, data: Data(text.utf8), contentType: contentType)
  }

  /// Creates a part of a file.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - path: Where the file is. It is looked at when the request is made, and read while it is sent.
  ///   - filename: The name that the server is told; nil for the last component of the path.
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
}

extension MultipartPart: CustomStringConvertible, CustomReflectable {
  /// The name of the field.
  public var description: String { "the part “\(name)”" }

  /// Shows what ``description`` shows: a part can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
