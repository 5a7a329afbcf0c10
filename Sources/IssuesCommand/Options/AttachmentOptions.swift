internal import ArgumentParser
internal import IssueOutbox
internal import PlatformModules

struct AttachmentOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Attach this image or video; its alternative text may follow '#'. Repeat it for several.",
      valueName: "file"),
    completion: .file(), transform: AttachedFile.init(reading:))
  var attach: [AttachedFile] = []

  @Flag(help: "Upload local images in the text, without asking. They are such as ![](shot.png).")
  var attachLocal = false

  /// No options, as on the screen: the user is asked about local images.
  static func none() throws -> AttachmentOptions { try parse([]) }

  var areGiven: Bool { !attach.isEmpty || attachLocal }

  /// Throws if there is no text that could have local images.
  func requireText(_ hasText: Bool) throws {
    guard hasText || !attachLocal else {
      throw ValidationError("--attach-local only makes sense with a text.")
    }
  }

  static let discussion = """
    ATTACHMENTS:
    --attach uploads an image (png, jpg, gif, webp, svg) or a video (mp4, mov, webm), which requires write access. \
    'shot.png#A crash' has the alternative text 'A crash'; without it, the file's name is used. If the text \
    refers to the file, as ![A crash](shot.png) does, the address is put there, otherwise at the end. Without a \
    text, the file is the text. The command offers to upload other images on this machine that the text \
    refers to; in a pipe, only --attach-local uploads them. A copy of each file is in the outbox until it is \
    uploaded.
    """
}

/// A file to attach: `shot.png` or `shot.png#Alternative text`.
struct AttachedFile: Hashable, Sendable {
  let path: String
  /// The alternative text; nil for the name of the file.
  let alternativeText: String?

  init(reading text: String) throws {
    let text = try ValueReader.text(of: "--attach")(text)
    if !BodyOptions.isFile(text), let mark = text.lastIndex(of: "#") {
      path = String(text[..<mark])
      alternativeText = String(text[text.index(after: mark)...])
    } else {
      (path, alternativeText) = (text, nil)
    }
    guard !path.isEmpty else {
      throw ValueReader.Refusal(description: "name a file: PATH or 'PATH#ALTERNATIVE TEXT'")
    }
    if alternativeText != nil, AttachmentKind(fileName: path)?.isVideo == true {
      throw ValueReader.Refusal(description: "a video has no alternative text: leave out '#…'")
    }
  }
}
