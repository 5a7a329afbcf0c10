internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct AttachCommand: JSONCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Upload images and videos, and print their Markdown.",
    usage: "issues attach [<options>] FILE …",
    discussion: """
      Uploads each file at once, and prints its address and the Markdown for a text: in a pipe a line for each, \
      separated by a tab. Nobody sees a file until a text refers to it. An upload can't be listed or deleted, and \
      each has a new address. GitHub stores png, jpg, gif, webp and svg of up to 10 MB, and mp4, mov and webm of up \
      to 100 MB; it requires write access to the repository. All files are checked before the first is uploaded.

      To upload files with a comment or an issue, use --attach of 'issues comment', 'create' and 'edit'.

      EXAMPLES:
        issues attach shot.png
        issues attach before.png after.png -R apple/swift
        issues attach shot.png | cut -f 2
        issues attach shot.png --json url,markdown
      """)

  @Argument(
    help: ArgumentHelp(
      "An image or a video; its alternative text may follow '#'.", valueName: "file"),
    completion: .file(), transform: AttachedFile.init(reading:))
  var files: [AttachedFile] = []

  @OptionGroup var repository: RepositoryOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static let terminalUse = TerminalUse.unpaged

  static var jsonFields: JSONFields.Known { .all(of: UploadedFile.Field.self) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard let file = try? AttachedFile(reading: word) else { return false }
    files.append(file)
    return true
  }

  func validateOptions() throws {
    guard !files.isEmpty else { throw ValidationError("Specify a file: FILE.") }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let place = try await session.place(
      of: RepositoryChoice(nil, option: repository.repo), apiURL: connection.request.apiURL)
    let github = try await connection.connection(to: place.server, session)
    try AttachmentText.require(github.server)
    let folder = try session.temporaryFolder("attach")
    var attachments: [(file: Attachment, alternativeText: String?)] = []
    for file in files {
      do throws(OutboxFailure) {
        var attachment = try Attachment(naming: file.path)
        try attachment.copy(file.path, to: "\(folder)/\(attachment.id)")
        attachments.append((attachment, file.alternativeText))
      } catch {
        throw CommandFailure(error)
      }
    }
    var sink: JSONSink?
    if let fields { sink = try JSONSink(session, fields) }
    for (attachment, alternativeText) in attachments {
      session.progress.update(attachment.progress(0))
      let url = try await github.explaining("\(place)") { (provider) async throws(NetworkError) in
        try await IssueWriter(provider: provider, repository: place.name).upload(
          "\(folder)/\(attachment.id)", named: attachment.name,
          contentType: attachment.kind.contentType
        ) { [progress = session.progress] in
          progress.update(attachment.progress($0.completedBytes))
        }
      }
      session.progress.update("")
      let uploaded = UploadedFile(
        attachment: attachment.uploaded(as: url), url: url, alternativeText: alternativeText)
      if sink != nil {
        try await sink?.write(list: [try uploaded.object()])
      } else {
        try await uploaded.write(to: session)
      }
    }
    try await sink?.finishList()
  }
}

/// A file that was uploaded, as a sentence, a line for programs, or JSON.
private struct UploadedFile {
  let attachment: Attachment
  let url: String
  let alternativeText: String?

  private var markdown: String { attachment.markdown(alternativeText: alternativeText) }

  enum Field: String, CaseIterable, Sendable {
    case name
    case url
    case markdown
    case contentType = "content_type"
    case size
  }

  func object() throws -> JSONObject {
    try JSONObject(
      encoding: EncodedObject(Field.self) { field in
        switch field {
        case .name: attachment.name
        case .url: url
        case .markdown: markdown
        case .contentType: attachment.kind.contentType
        case .size: attachment.size
        }
      })
  }

  func write(to session: CommandSession) async throws {
    guard session.style.layout == .table else {
      return try await session.output.write(
        TSV(color: session.style.color).line([
          StyledLine(url), StyledLine(markdown),
        ]))
    }
    try await session.write(deed: "Uploaded \(attachment.name)", url)
    if !attachment.kind.isVideo {
      try await session.output.write("  \(TerminalText(markdown))\n")
    }
  }
}
