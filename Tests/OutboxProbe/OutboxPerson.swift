import CurlTransport
import Foundation
import GitHubAPI
import HTTPTargets
package import IssueOutbox
import PlatformModules
import TestSupport

/// A person with two accounts who follows a script with an outbox, in one process.
package struct OutboxPerson: Sendable {
  /// A token of the person.
  package enum Token: String, CaseIterable, Sendable {
    /// The token of the first account.
    case first
    /// Another token of the same account.
    case renewed
    /// The token of the second account.
    case other

    /// The token text that the server knows.
    package var secret: String {
      switch self {
      case .first: "ghp_TheTokenOfTheProperty0000000000000000"
      case .renewed: "ghp_TheNewTokenOfTheProperty0000000000000"
      case .other: "ghp_AnotherTokenOfTheProperty000000000000"
      }
    }

    /// The login of its account.
    package var login: String { self == .other ? "hubot" : "octocat" }
  }

  /// The outbox.
  package let outbox: Outbox
  /// The wishes.
  package let script: OutboxScript
  /// The clock of all processes that share the outbox.
  package let clock: SharedClock
  private let server: GitHubServer
  private let forge: Forge
  private let fingerprints: [Token: String]

  /// Opens the outbox.
  ///
  /// - Parameters:
  ///   - url: The root of the server.
  ///   - path: The file of the outbox.
  ///   - script: The wishes.
  /// - Throws: The outbox's error.
  package init(url: String, path: String, script: OutboxScript) throws {
    self.script = script
    server = try GitHubServer(apiURL: url + script.forge.apiPath)
    forge = Forge(rawValue: script.forge.rawValue) ?? .gitHub
    let clock = Self.clock(of: path)
    self.clock = clock
    outbox = try Outbox(path: path, clock: clock) { clock.date }
    var fingerprints: [Token: String] = [:]
    for token in Token.allCases {
      fingerprints[token] = try outbox.fingerprint(of: AccessToken(token.secret))
    }
    self.fingerprints = fingerprints
  }

  /// The clock of those who share an outbox, and of their server.
  package static func clock(of path: String) -> SharedClock { SharedClock(file: "\(path).clock") }

  /// Puts a step into the outbox.
  ///
  /// - Returns: The id of the entry; nil if the step's target isn't known yet.
  package func add(_ index: Int) async throws -> OutboxEntry.ID? {
    let step = script.steps[index]
    let subjects = try await subjects(of: step.place)
    // Both names of an issue that has got its number meanwhile.
    guard let subject = index.isMultiple(of: 2) ? subjects.first : subjects.last else { return nil }
    let intention = Intention(
      try await attachingFile(to: step.change(subject), of: index), in: step.repository, on: server,
      account: account(of: step.token, knowsLogin: step.knowsLogin))
    return try await outbox.add([intention]).first?.id
  }

  /// The change with a file in place of the mark for one. Each entry has a file of its own.
  private func attachingFile(to change: Change, of index: Int) async throws -> Change {
    guard let text = change.text, text.contains(FileMark.mark) else { return change }
    let file = URL(filePath: outbox.path).deletingLastPathComponent()
      .appending(path: "picture-\(UUID().uuidString).png")
    try PNG.image(width: index + 1, height: 1).write(to: file)
    let attachment = try await outbox.attach(file.path)
    return change.replacing(
      text: text.replacing("(\(FileMark.mark))", with: "(\(attachment.reference))")) ?? change
  }

  /// The names of a step's targets; empty if they aren't known.
  private func subjects(of place: OutboxScript.Place?) async throws -> [OutboxScript.Subject] {
    switch place {
    case nil, .thread: return [OutboxScript.Subject(.number(0))]
    case .known(let number): return [OutboxScript.Subject(.number(number))]
    case .new(let creation):
      guard let entry = try await entry(of: creation) else { return [] }
      return [OutboxScript.Subject(.pending(entry.id))]
        + [entry.answer?.number].compactMap(\.self).map { OutboxScript.Subject(.number($0)) }
    case .knownComment(let id, let number):
      return [OutboxScript.Subject(.number(number), comment: id)]
    case .newComment(let step):
      guard let entry = try await entry(of: step), let number = entry.answer?.number,
        let id = entry.commentID
      else { return [] }
      return [OutboxScript.Subject(.number(number), comment: id)]
    }
  }

  /// The entry of a step; nil where there is none. The nth of some equal steps has the nth of the equal entries.
  package func entry(of index: Int) async throws -> OutboxEntry? {
    let step = script.steps[index]
    let changes = Set(try await subjects(of: step.place).map { step.change($0).withoutBases })
    let place = script.steps[..<index].count {
      $0.place == step.place && $0.repository == step.repository
        && $0.token.login == step.token.login && $0.sample == step.sample
    }
    // An old name has been replaced where the server has said the new one.
    let isRenamed = step.repository == script.renamed
    let names = isRenamed ? [script.renamed, script.main] : [step.repository]
    return try await outbox.entries()
      .filter {
        changes.contains($0.change.withoutBases.withoutFiles) && names.contains($0.repository)
          && login(of: $0) == step.token.login
      }
      .dropFirst(place).first
  }

  private func account(of token: Token, knowsLogin: Bool) -> OutboxAccount? {
    fingerprints[token].map {
      OutboxAccount(fingerprint: $0, login: knowsLogin ? token.login : nil)
    }
  }

  /// The login that an entry was queued as.
  private func login(of entry: OutboxEntry) -> String? {
    fingerprints.first { $0.value == entry.account?.fingerprint }?.key.login
  }

  /// Sends everything as the command does, and notes in a file what it delivers.
  ///
  /// - Parameters:
  ///   - token: The token of the person now. As in the command, nobody knows its login yet.
  ///   - isFlawed: Whether every third answer can't be delivered.
  /// - Returns: What happens.
  package func send(
    as token: Token, isFlawed: Bool
  ) -> AsyncThrowingStream<OutboxEvent, any Error> {
    let file = "\(outbox.path).delivered"
    let (server, forge, clock) = (server, forge, clock)
    let account = account(of: token, knowsLogin: false)
    let sending = OutboxSending { entry in
      if isFlawed, entry.id.isMultiple(of: 3) { throw Mismatch("no room for \(entry.id)") }
      Self.write("\(entry.id)\n", to: file)
    }
    return outbox.send(options: sending) { _ in
      var configuration = GitHub.Configuration(
        server: server, token: try AccessToken(token.secret), retries: nil, rateLimits: nil,
        timeouts: Timeouts(scaledTo: .seconds(300)),
        transport: CurlTransport(configuration: .init(certificates: CertificateStore())),
        clock: clock, now: { clock.date })
      configuration.forge = forge
      return OutboxConnection(provider: Provider.gitHub(configuration), account: account)
    }
  }

  /// Appends to a file at once.
  package static func write(_ text: String, to file: String) {
    let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    write(text, to: descriptor)
    close(descriptor)
  }

  /// Writes to a descriptor at once: `print` keeps what it writes to a pipe.
  package static func write(_ text: String, to descriptor: CInt) {
    var text = text
    text.withUTF8 { bytes in
      #if canImport(Darwin)
        _ = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
      #elseif canImport(Musl)
        _ = Musl.write(descriptor, bytes.baseAddress, bytes.count)
      #else
        _ = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      #endif
    }
  }
}

extension OutboxEntry {
  /// The id of the comment that it has written; nil where the server's answer isn't known.
  package var commentID: Int64? {
    guard case .comment = change, let json = answer?.json else { return nil }
    return (try? GitHubJSON.decode(IssueComment.self, from: json))?.id
  }
}

/// The mark in a script's text that stands for a file, before and after it is uploaded.
package enum FileMark {
  /// The mark.
  package static let mark = "FILE"

  /// Puts the mark in place of references to files, and of the addresses of uploaded ones.
  package static func marking(_ text: String) -> String {
    text.replacing(/attachment:[0-9a-f]{16}/, with: mark)
      .replacing(/http:[^ )]*\/user-attachments\/assets\/[0-9a-f-]{36}/, with: mark)
  }
}

extension Change {
  /// The change with marks in place of files.
  fileprivate var withoutFiles: Change {
    guard let text, text != FileMark.marking(text) else { return self }
    return replacing(text: FileMark.marking(text)) ?? self
  }

  /// The change without the texts that it replaces, which the outbox may note later.
  fileprivate var withoutBases: Change {
    switch self {
    case .edit(let target, var edit):
      edit.title?.base = nil
      edit.body?.base = nil
      return .edit(target, edit)
    case .editComment(let id, let number, let body):
      return .editComment(id: id, on: number, body: TextChange(body.text))
    default: return self
    }
  }
}
