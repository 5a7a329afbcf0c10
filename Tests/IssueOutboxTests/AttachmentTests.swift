import CurlTransport
import Foundation
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@testable import IssueOutbox

@Suite("Attachments in an outbox", .timeLimit(.minutes(2)))
struct AttachmentTests {
  private static let picture = PNG.image(width: 3, height: 2)

  private func file(
    _ bench: OutboxBench, _ name: String = "shot.png", _ bytes: Data = picture
  ) throws -> String {
    let path = bench.folder[name]
    try bytes.write(to: URL(filePath: path))
    return path
  }

  /// The names of the copies beside the journal.
  private func copies(_ bench: OutboxBench) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: "\(bench.outbox.path).attachments")
    return names ?? []
  }

  @Test("a file is uploaded when its comment is sent, even if it has been removed meanwhile")
  func upload() async throws {
    try await OutboxBench.run { bench in
      let path = try file(bench)
      let attachment = try await bench.outbox.attach(path)
      try FileManager.default.removeItem(atPath: path)
      #expect(attachment.markdown() == "![shot.png](\(attachment.reference))")
      let entry = try await bench.add(
        .comment(on: .number(1), body: "Look:\n\n\(attachment.markdown(alternativeText: "a [b]"))")
      )[0]
      #expect(bench.github.uploads.isEmpty)
      let events = try await bench.send()
      let upload = try #require(bench.github.uploads.first)
      #expect(bench.github.uploads.count == 1)
      #expect(upload.name == "shot.png" && upload.contentType == "image/png")
      #expect(upload.bytes == Self.picture && upload.repository == bench.there.id)
      #expect(bench.comments(on: 1) == ["Look:\n\n![a \\[b\\]](\(upload.url))"])
      #expect(copies(bench) == [])
      #expect(try await bench.entry(entry.id).state == .sent)
      #expect(try await bench.outbox.attachments(of: entry.id).map(\.url) == [upload.url])
      #expect(events.contains { if case .uploading = $0 { true } else { false } })
    }
  }

  @Test(
    "nothing is uploaded twice because the answer to the change was lost",
    arguments: [LoopbackWriteFault.answerLost, .requestLost, .badGateway, .commitDelayed])
  func lostAnswer(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      let attachment = try await bench.outbox.attach(try file(bench))
      let entry = try await bench.add(
        .comment(on: .number(1), body: attachment.markdown()))[0]
      bench.github.strike(fault) { $0.path.hasSuffix("/comments") }
      _ = try? await bench.send()
      bench.github.settle()
      if try await bench.entry(entry.id).state == .unknown {
        _ = try await bench.outbox.retry(entry.id, mayRepeat: true)
      }
      _ = try? await bench.send()
      #expect(bench.github.uploads.count == 1)
      #expect(bench.comments(on: 1) == ["![shot.png](\(bench.github.uploads[0].url))"])
    }
  }

  @Test("an upload whose answer was lost is repeated, and the comment is sent once")
  func lostUpload() async throws {
    try await OutboxBench.run { bench in
      let attachment = try await bench.outbox.attach(try file(bench))
      let entry = try await bench.add(.comment(on: .number(1), body: attachment.markdown()))[0]
      bench.github.strike(.badGatewayAfterCommit) { $0.path.hasPrefix("/user-attachments") }
      _ = try? await bench.send()
      #expect(bench.comments(on: 1) == [])
      #expect(try await bench.entry(entry.id).state == .queued)
      #expect(copies(bench) == [attachment.id])
      try await bench.send()
      #expect(bench.github.uploads.count == 2)
      #expect(bench.comments(on: 1) == ["![shot.png](\(bench.github.uploads[1].url))"])
    }
  }

  @Test("without write access nothing is sent, and the reason says so")
  func noAccess() async throws {
    try await OutboxBench.run {
      $0.permission = .read
    } _: { bench in
      let attachment = try await bench.outbox.attach(try file(bench))
      let entry = try await bench.add(.comment(on: .number(1), body: attachment.markdown()))[0]
      _ = try? await bench.send()
      let kept = try await bench.entry(entry.id)
      #expect(kept.state == .refused)
      #expect(
        kept.reason?.contains(
          "“shot.png” couldn't be uploaded: attaching files requires write access to swiftlang/swift"
        ) == true)
      #expect(bench.comments(on: 1) == [])
      #expect(copies(bench) == [attachment.id])
    }
  }

  @Test("a file that the server refuses leaves the server's words, and nothing is sent")
  func refused() async throws {
    try await OutboxBench.run {
      $0.attachmentSize = 10
    } _: { bench in
      let attachment = try await bench.outbox.attach(try file(bench))
      let entry = try await bench.add(.comment(on: .number(1), body: attachment.markdown()))[0]
      _ = try? await bench.send()
      let kept = try await bench.entry(entry.id)
      #expect(kept.state == .refused)
      #expect(kept.reason?.contains("File size is too large.") == true)
      #expect(bench.comments(on: 1) == [])
    }
  }

  @Test("an Enterprise server has no store for files: nothing is sent")
  func enterprise() async throws {
    try await OutboxBench.run { bench in
      let server = try GitHubServer(apiURL: "\(bench.server.url)/api/v3")
      #expect(server.uploadURL == nil)
      let attachment = try await bench.outbox.attach(try file(bench))
      let entry = try await bench.outbox.add([
        Intention(
          .comment(on: .number(1), body: attachment.markdown()), in: bench.repository, on: server)
      ])[0]
      let provider = Provider.gitHub(
        .init(
          server: server, token: try AccessToken("t0ken"), retries: nil, rateLimits: nil,
          transport: CurlTransport(configuration: .init(certificates: CertificateStore()))))
      for try await _ in bench.outbox.send(
        options: .fast, connect: { _ in OutboxConnection(provider: provider) })
      {}
      let kept = try await bench.entry(entry.id)
      #expect(kept.state == .refused)
      #expect(kept.reason?.contains("doesn't store attachments") == true)
      #expect(bench.writes == [])
    }
  }

  /// Uploads a file right before this process does, and removes the copy.
  private struct OtherProcess: Interceptor {
    let journal: OutboxJournal
    let id: String

    func intercept(
      _ request: TargetRequest, call: TargetCall, next: @escaping Next
    ) async throws -> TargetResponse {
      if case .uploadAttachment? = call.target as? GitHub {
        try await journal.uploaded(id, as: "https://example.com/shot.png")
      }
      return try await next(request)
    }
  }

  @Test("a file that another process has uploaded in the meantime isn't missed")
  func uploadedMeanwhile() async throws {
    try await OutboxBench.run { bench in
      let attachment = try await bench.outbox.attach(try file(bench))
      let entry = try await bench.add(.comment(on: .number(1), body: attachment.markdown()))[0]
      var configuration = GitHub.Configuration(
        server: try bench.gitHubServer(), token: try AccessToken("t0ken"), retries: nil,
        rateLimits: nil,
        transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
      configuration.interceptors = [
        OtherProcess(journal: bench.outbox.journal, id: attachment.id)
      ]
      let connection = OutboxConnection(
        provider: .gitHub(configuration), account: try bench.connection().account)
      for try await _ in bench.outbox.send(options: .fast, connect: { _ in connection }) {}
      let sent = try await bench.entry(entry.id)
      #expect(sent.state == .sent, "\(sent.reason ?? "")")
      #expect(bench.comments(on: 1).joined().contains("https://example.com/shot.png"))
    }
  }

  @Test("the copy is removed when its change is dropped, which then can't be restored")
  func dropped() async throws {
    try await OutboxBench.run { bench in
      let attachment = try await bench.outbox.attach(try file(bench))
      let entry = try await bench.add(.comment(on: .number(1), body: attachment.markdown()))[0]
      _ = try await bench.outbox.drop(entry.id)
      #expect(copies(bench) == [])
      let failure = await #expect(throws: OutboxFailure.self) {
        try await bench.outbox.restore(entry.id)
      }
      #expect(failure?.code == .wrongState)
      #expect(failure?.message.contains("“shot.png”") == true)
    }
  }

  @Test("a file that two changes refer to is uploaded once")
  func shared() async throws {
    try await OutboxBench.run { bench in
      let attachment = try await bench.outbox.attach(try file(bench))
      let entries = try await bench.add(
        .comment(on: .number(1), body: attachment.markdown()),
        .comment(on: .number(2), body: attachment.markdown()))
      _ = try await bench.outbox.drop(entries[0].id)
      #expect(copies(bench) == [attachment.id])
      try await bench.add(.comment(on: .number(3), body: attachment.markdown()))
      try await bench.send()
      #expect(bench.github.uploads.count == 1)
      #expect(bench.comments(on: 2) == bench.comments(on: 3))
    }
  }

  @Test("a file whose reference was removed isn't uploaded")
  func unreferred() async throws {
    try await OutboxBench.run { bench in
      let attachment = try await bench.outbox.attach(try file(bench))
      let entry = try await bench.add(.comment(on: .number(1), body: attachment.markdown()))[0]
      _ = try await bench.outbox.replace(entry.id, with: .comment(on: .number(1), body: "No."))
      try await bench.send()
      #expect(bench.github.uploads.isEmpty)
      #expect(bench.comments(on: 1) == ["No."])
      #expect(copies(bench) == [])
      #expect(try await bench.outbox.attachments(of: entry.id) == [attachment])
    }
  }

  @Test("a text can't be added if its file isn't in the outbox")
  func unknown() async throws {
    try await OutboxBench.run { bench in
      let attachment = try await bench.outbox.attach(try file(bench))
      try await bench.outbox.discard([attachment])
      #expect(copies(bench) == [])
      await #expect(throws: OutboxFailure.self) {
        try await bench.add(.comment(on: .number(1), body: attachment.markdown()))
      }
      #expect(try await bench.outbox.entries() == [])
    }
  }

  @Test("files survive a damaged journal")
  func damaged() async throws {
    try await OutboxBench.run { bench in
      let attachment = try await bench.outbox.attach(try file(bench))
      let entry = try await bench.add(.comment(on: .number(1), body: attachment.markdown()))[0]
      try await bench.pretend("created = 'never'")
      await #expect(throws: OutboxFailure.self) { try await bench.outbox.entries() }
      let again = try bench.other()
      #expect(try await again.attachments(of: entry.id) == [attachment])
      #expect(copies(bench) == [attachment.id])
    }
  }

  @Test("the address of an upload can't leave its place in the text")
  func hostileAddress() async throws {
    let hostile = #"{"url":"https://github.com/a) [click](https://evil.example"}"#
    try await OutboxBench.run { _ in
    } instead: { request in
      request.path.hasPrefix("/user-attachments") ? .json(hostile, status: 201) : nil
    } _: { bench in
      let attachment = try await bench.outbox.attach(try file(bench))
      let entry = try await bench.add(.comment(on: .number(1), body: attachment.markdown()))[0]
      _ = try? await bench.send()
      #expect(bench.comments(on: 1) == [])
      #expect(try await bench.entry(entry.id).state == .queued)
    }
  }

  @Test("a file that isn't what it seems is refused with a reason")
  func unusable() async throws {
    try await OutboxBench.run { bench in
      let folder = bench.folder
      func expect(_ words: String, _ path: String) async {
        let failure = await #expect(throws: OutboxFailure.self, "\(words)") {
          try await bench.outbox.attach(path)
        }
        #expect(failure?.code == .unusableFile)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
      }
      await expect("No such file", folder["missing.png"])
      await expect("the server stores only png, jpg,", try file(bench, "notes.txt"))
      await expect("it is empty", try file(bench, "empty.png", Data()))
      let key = Data("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\n".utf8)
      for name in ["key.png", "key.jpg", "key.gif", "key.webp", "key.svg", "key.mp4", "key.webm"] {
        await expect("its content isn't", try file(bench, name, key))
      }
      try FileManager.default.createSymbolicLink(
        atPath: folder["link.png"], withDestinationPath: try file(bench))
      await expect("it is a symbolic link", folder["link.png"])
      try FileManager.default.createDirectory(
        atPath: folder["folder.png"], withIntermediateDirectories: false)
      await expect("it is not a regular file", folder["folder.png"])
      #expect(mkfifo(folder["pipe.png"], 0o600) == 0)
      await expect("it is not a regular file", folder["pipe.png"])
      let large = try FileHandle(forWritingTo: URL(filePath: try file(bench, "large.png")))
      try large.truncate(atOffset: 11 << 20)
      await expect("it has more than 10 MB", folder["large.png"])
      #expect(copies(bench) == [])
    }
  }

  @Test("control characters in a file's name aren't sent")
  func hostileName() async throws {
    try await OutboxBench.run { bench in
      let attachment = try await bench.outbox.attach(try file(bench, "a\u{1B}[31m\u{202E}\nb.png"))
      #expect(attachment.name == "a_[31m__b.png")
      #expect(attachment.markdown().hasPrefix("![a_\\[31m__b.png]("))
    }
  }

  @Test("every kind of file is recognized by its first bytes")
  func kinds() async throws {
    let files: [(String, [UInt8])] = [
      ("a.JPG", [0xFF, 0xD8, 0xFF, 0xE0]), ("a.gif", Array("GIF89a".utf8)),
      ("a.webp", Array("RIFF____WEBPVP8 ".utf8)),
      ("a.svg", Array("\u{FEFF} <?xml version=\"1.0\"?>\n<svg xmlns=\"\"/>".utf8)),
      ("a.mp4", Array("\0\0\0\u{18}ftypmp42".utf8)), ("a.mov", Array("\0\0\0\u{14}ftypqt  ".utf8)),
      ("a.webm", [0x1A, 0x45, 0xDF, 0xA3]),
    ]
    try await OutboxBench.run { bench in
      for (name, bytes) in files {
        let attachment = try await bench.outbox.attach(try file(bench, name, Data(bytes)))
        #expect(attachment.size == bytes.count)
        let isVideo = ["a.mp4", "a.mov", "a.webm"].contains(name)
        #expect(attachment.kind.isVideo == isVideo)
        #expect((attachment.markdown() == attachment.reference) == isVideo)
      }
    }
  }
}
