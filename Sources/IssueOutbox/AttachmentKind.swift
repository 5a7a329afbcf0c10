internal import PlatformModules

/// A kind of file that GitHub stores for texts
/// (<https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/attaching-files>, and the
/// extensions that `gh` accepts).
public enum AttachmentKind: String, CaseIterable, Hashable, Sendable {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webP = "image/webp"
  case svg = "image/svg+xml"
  case mp4 = "video/mp4"
  case quickTime = "video/quicktime"
  case webM = "video/webm"

  /// Creates the kind for a file name; nil if GitHub doesn't store such files.
  public init?(fileName: String) {
    let name = fileName.lowercased()
    guard
      let kind = Self.allCases.first(where: { $0.extensions.contains { name.hasSuffix(".\($0)") } })
    else { return nil }
    self = kind
  }

  /// The media type.
  public var contentType: String { rawValue }

  /// Whether it is a video, which isn't part of an image in Markdown, but an address on its own line.
  public var isVideo: Bool { rawValue.hasPrefix("video/") }

  /// The size in bytes above which every GitHub server refuses the file. A server may refuse smaller ones.
  public var maximumSize: Int { isVideo ? 100 << 20 : 10 << 20 }

  /// All accepted extensions, for messages.
  package static let allExtensions = allCases.flatMap(\.extensions)

  /// The usual extension, without a dot.
  package var fileExtension: String { extensions[0] }

  private var extensions: [String] {
    switch self {
    case .png: ["png"]
    case .jpeg: ["jpg", "jpeg"]
    case .gif: ["gif"]
    case .webP: ["webp"]
    case .svg: ["svg"]
    case .mp4: ["mp4"]
    case .quickTime: ["mov"]
    case .webM: ["webm"]
    }
  }

  /// Whether the first bytes of a file are those of this kind, so that a private key with the name of an image isn't
  /// sent (<https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern>).
  func matches(_ head: Data) -> Bool {
    func has(_ text: String, at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: text.utf8)
    }
    return switch self {
    case .png: head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .jpeg: head.starts(with: [0xFF, 0xD8, 0xFF])
    case .gif: has("GIF87a") || has("GIF89a")
    case .webP: has("RIFF") && has("WEBP", at: 8)
    case .svg:
      !head.contains(0) && String(decoding: head, as: UTF8.self).contains("<svg")
        && String(decoding: head, as: UTF8.self).first { !$0.isWhitespace && $0 != "\u{FEFF}" }
          == "<"
    case .mp4: has("ftyp", at: 4)
    case .quickTime: ["ftyp", "moov", "mdat", "wide", "free", "skip"].contains { has($0, at: 4) }
    case .webM: head.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
    }
  }
}
