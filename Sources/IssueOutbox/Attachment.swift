internal import HTTPTargets
internal import PlatformModules

/// A file that texts in the outbox refer to. The outbox keeps a copy of it until it is uploaded.
///
/// ```swift
/// let attachment = try await outbox.attach("login.png")
/// let body = "It looks like this:\n\n\(attachment.markdown())"
/// try await outbox.add([Intention(.comment(on: .number(7), body: body), in: name, on: .github)])
/// ```
///
/// The file is uploaded when the change is sent, and ``reference`` is replaced with its address.
public struct Attachment: Hashable, Sendable, Identifiable {
  /// The id: 16 hexadecimal digits.
  public let id: String
  /// The name of the file, without control characters.
  public let name: String
  /// The kind of file.
  public let kind: AttachmentKind
  /// The size in bytes.
  public internal(set) var size: Int
  /// The address on the server; nil until the file is uploaded.
  public internal(set) var url: String?

  /// The text that stands for the address until the file is uploaded, such as `attachment:3f2a9c01b2d4e6f8`.
  public var reference: String { AttachmentMentions.scheme + id }

  /// The Markdown for the text: an image, or for a video its address, which needs a line of its own.
  ///
  /// - Parameter alternativeText: The description of an image; nil for the name of the file.
  /// - Returns: The Markdown.
  public func markdown(alternativeText: String? = nil) -> String {
    let address = url ?? reference
    guard !kind.isVideo else { return address }
    let text = (alternativeText ?? name).reduce(into: "") { text, character in
      if character == "\\" || character == "[" || character == "]" { text += "\\" }
      text.append(character.isNewline ? " " : character)
    }
    return "![\(text)](\(address))"
  }
}

extension Attachment {
  /// Describes a file by its name, without reading it.
  ///
  /// - Throws: ``OutboxFailure/Code/unusableFile`` if GitHub doesn't store such files.
  package init(naming path: String) throws(OutboxFailure) {
    let last = path.split(separator: "/").last.map(String.init) ?? path
    guard let kind = AttachmentKind(fileName: last) else {
      let extensions = AttachmentKind.allExtensions.joined(separator: ", ")
      throw OutboxFailure(
        .unusableFile, "“\(path)” can't be attached: the server stores only \(extensions).")
    }
    let id = String(UInt64.random(in: .min ... .max), radix: 16)
    self.init(
      id: String(repeating: "0", count: 16 - id.utf8.count) + id, name: Self.visible(last),
      kind: kind, size: 0)
  }

  /// Copies the file to a path that only this user can read, and sets ``size``.
  ///
  /// - Throws: ``OutboxFailure/Code/unusableFile`` for a file that can't be read, isn't a regular file, is a symbolic
  ///   link, is empty or too large, has the content of another kind, or changes meanwhile.
  package mutating func copy(_ path: String, to destination: String) throws(OutboxFailure) {
    do throws(FileFailure) {
      let kind = kind
      size = try FileCopy(of: path, to: destination, upTo: kind.maximumSize) {
        (head) throws(FileFailure) in
        guard kind.matches(head) else {
          throw FileFailure(path, "its content isn't that of such a file, whatever its name says")
        }
      }.size
    } catch {
      throw OutboxFailure(.unusableFile, "“\(path)” can't be attached: \(error.reason).")
    }
  }

  /// The attachment with the address of its upload.
  package func uploaded(as url: String) -> Attachment {
    var attachment = self
    attachment.url = url
    return attachment
  }

  /// The name without characters that change the direction or the position of text.
  private static func visible(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "_"
          default: scalar
          }
        }))
  }
}

/// The references to attachments in texts.
enum AttachmentMentions {
  static let scheme = "attachment:"

  static func ids(in text: String) -> [String] {
    guard text.contains(scheme) else { return [] }
    var ids: [String] = []
    for match in text.matches(of: /attachment:([0-9a-f]{16})(?![0-9A-Za-z])/) {
      let id = String(match.1)
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  static func resolving(_ urls: [String: String], in text: String) -> String {
    replacing(in: text) { urls[$0] }
  }

  /// The text with an inert address for each file, until the files are uploaded.
  static func postponing(in text: String) -> String { replacing(in: text) { _ in "#uploading" } }

  private static func replacing(in text: String, _ address: (String) -> String?) -> String {
    guard text.contains(scheme) else { return text }
    return text.replacing(/attachment:([0-9a-f]{16})(?![0-9A-Za-z])/) { match in
      address(String(match.1)) ?? String(match.0)
    }
  }
}
