internal import ConcurrencyPrimitives
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Attaches files to the texts that a command writes: those of `--attach`, and those of local images in a text.
///
/// Copies that no change in the outbox refers to are removed at the end of the session, for example because the user
/// canceled.
struct AttachmentText: Sendable {
  private let options: AttachmentOptions
  private let writing: WriteSession
  /// The server, with the address of its forge's API.
  let server: GitHubServer
  private let attached = Locked<[LocalFile.Identity: Attachment]>([:])

  /// Copies the files of `--attach`, so that a wrong one is reported before the user writes a text.
  init(
    _ options: AttachmentOptions, _ writing: WriteSession, on server: GitHubServer
  ) async throws(CommandFailure) {
    let server = try await writing.connection(to: server).server
    if options.areGiven { try Self.require(server, forIssue: true) }
    self.options = options
    self.writing = writing
    self.server = server
    writing.session.end.add { [attached, outbox = writing.outbox] in
      let all = attached.withLock { Array($0.values) }
      if !all.isEmpty { try? await outbox.discard(all) }
    }
    for file in options.attach { try await attach(file.path) }
  }

  /// Throws for a server that doesn't store attachments. Forgejo and Gitea store them only for existing issues.
  static func require(_ server: GitHubServer, forIssue: Bool = false) throws(CommandFailure) {
    guard !stores(server) else {
      guard server.isGitea, !forIssue else { return }
      throw CommandFailure(
        .usage,
        """
        Forgejo and Gitea store files only with an issue
        Use --attach of 'issues comment', 'create' or 'edit'.
        """)
    }
    throw CommandFailure(
      .usage, "\(server) doesn't store attachments\nPut a link to the file into the text instead.")
  }

  private static func stores(_ server: GitHubServer) -> Bool {
    server.uploadURL != nil || server.isGitea
  }

  /// Whether there are files for a command that isn't given a text.
  var hasFiles: Bool { !options.attach.isEmpty }

  /// The text with references to the files, which are appended unless the text refers to them.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - base: The text that the user has changed. Local images in it are another person's, and aren't uploaded.
  ///   - answers: The paths that the user entered as files to upload.
  /// - Returns: The text.
  /// - Throws: ``CommandFailure`` if a file can't be attached.
  func text(
    _ text: String, changedFrom base: String = "", answers: [String] = []
  ) async throws(CommandFailure) -> String {
    var wanted = Set(options.attach.compactMap { LocalFile($0.path)?.identity })
    for path in answers {
      try await attach(path)
      if let file = LocalFile(path) { wanted.insert(file.identity) }
    }
    let home = writing.session.environment["HOME"]
    func shown(_ text: String) -> String { LocalImages.showingPastedPaths(in: text, home: home) }
    let strange = Set(LocalImages.paths(in: shown(base)))
    var text = text
    var others: [LocalFile] = []
    for path in LocalImages.paths(in: shown(text)) where !strange.contains(path) {
      guard AttachmentKind(fileName: path) != nil else { continue }
      guard let file = LocalFile(path) else {
        guard options.attachLocal else { continue }
        throw CommandFailure(
          .usage, "the text refers to “\(TerminalText(path))”, which isn't a file: nothing was sent"
        )
      }
      guard !wanted.contains(file.identity),
        !others.contains(where: { $0.identity == file.identity })
      else { continue }
      others.append(file)
    }
    if !others.isEmpty, Self.stores(server), try await mayUpload(others) {
      for file in others {
        try await attach(file.path)
        wanted.insert(file.identity)
      }
      text = shown(text)
    }
    return appendingFiles(to: text, wanted)
  }

  /// The text from an editor. An error names the file in which it is kept.
  func text(
    _ text: String, changedFrom base: String, keptIn draft: Draft
  ) async throws(CommandFailure) -> String {
    do throws(CommandFailure) {
      return try await self.text(text, changedFrom: base)
    } catch {
      throw error.keeping(draft)
    }
  }

  private func appendingFiles(to text: String, _ wanted: Set<LocalFile.Identity>) -> String {
    let attached = attached.withLock { $0 }
    var present: Set<LocalFile.Identity> = []
    let text = LocalImages.replacing(in: text) { image in
      guard let identity = LocalFile(image.path)?.identity, wanted.contains(identity),
        let attachment = attached[identity]
      else { return nil }
      present.insert(identity)
      if attachment.kind.isVideo { return .line(attachment.reference) }
      let given = options.attach.first { LocalFile($0.path)?.identity == identity }?.alternativeText
      let alternative = given.map { attachment.markdown(alternativeText: $0) }
      return .inline(
        alternative.map { "\($0.dropLast())\(image.ending)" }
          ?? "![\(image.alternativeText)](\(attachment.reference)\(image.ending)")
    }
    let rest = options.attach.compactMap { file -> String? in
      guard let identity = LocalFile(file.path)?.identity, !present.contains(identity) else {
        return nil
      }
      return attached[identity]?.markdown(alternativeText: file.alternativeText)
    }
    guard !rest.isEmpty else { return text }
    let isBlank = text.allSatisfy { $0.isWhitespace }
    return ((isBlank ? [] : [text.withoutEmptyEnd]) + rest).joined(separator: "\n\n")
  }

  private func attach(_ path: String) async throws(CommandFailure) {
    if let file = LocalFile(path), attached.withLock({ $0[file.identity] }) != nil { return }
    do throws(OutboxFailure) {
      let attachment = try await writing.outbox.attach(path)
      guard let file = LocalFile(path) else {
        try await writing.outbox.discard([attachment])
        throw OutboxFailure(.unusableFile, "“\(path)” can't be attached: it was just removed.")
      }
      attached.withLock { $0[file.identity] = attachment }
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Asks whether to upload the files of local images in a text. Without a terminal, it only names them.
  private func mayUpload(_ files: [LocalFile]) async throws(CommandFailure) -> Bool {
    if options.attachLocal { return true }
    let one = files.count == 1
    guard writing.session.canAsk else {
      let names = files.map(\.path).joined(separator: ", ")
      writing.session.errors.write(
        "The text refers to \(one ? "a local file" : "local files"), \(names), and is sent without \(one ? "it" : "them"): --attach-local would upload \(one ? "it" : "them")."
      )
      return false
    }
    let names = files.map { "\($0.path) (\(ByteCount.text($0.size)))" }.joined(separator: ", ")
    return try await Question.ask(
      "The text refers to \(one ? "a file" : "files") on this machine: \(names). Upload \(one ? "it" : "them")?"
    )
  }
}

/// A regular file that exists.
private struct LocalFile {
  struct Identity: Hashable {
    let device: UInt64
    let number: UInt64
  }

  let path: String
  let identity: Identity
  let size: Int

  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    size = Int(status.st_size)
  }
}

extension CommandFailure {
  /// The same failure, with the place of the text that wasn't sent.
  func keeping(_ draft: Draft) -> CommandFailure {
    CommandFailure(status, "\(message)\nNothing was sent. The text is kept: \(draft.path)")
  }
}
