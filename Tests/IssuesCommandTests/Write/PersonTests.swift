import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  /// Whatever becomes of an editor: nothing is sent that its user didn't save, and nothing is lost that they typed.
  @Suite("A user at the editor", .timeLimit(.minutes(10)))
  struct PersonTests {
    private static let repo = ["-R", "swiftlang/swift"]
    /// In a page the first line is the title.
    private static let text = "Mine\n\nOne\nTwo"

    /// One run of the command.
    struct Visit: Sendable {
      /// A shell script. `save FILE` writes the text; `$1` is the draft.
      let editor: String
      /// Typed ahead, for the questions that come.
      var answers = ""
      /// The program gets it as soon as the editor prints "ready". The terminal goes with it.
      var signal: Int32?
      /// Of the last visit only.
      var status: Int32 = 2
    }

    enum Outcome {
      case sent
      case kept
      case nothing
    }

    struct Story: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let visits: [Visit]
      let outcome: Outcome
    }

    private static let halfSaved = Visit(editor: "save $1; exit 1")
    private static let savedAgain = Visit(
      editor: "cp $1 $1.new; mv $1.new $1", answers: "y\n", status: 0)

    private static let stories = [
      Story(
        testDescription: "it saves with CRLF",
        visits: [Visit(editor: #"save $1; sed -i 's/$/\r/' $1"#, status: 0)], outcome: .sent),
      Story(
        testDescription: "it saves with CR",
        visits: [Visit(editor: #"save $1.new; tr '\n' '\r' <$1.new >$1; rm $1.new"#, status: 0)],
        outcome: .sent),
      Story(
        testDescription: "it saves a byte order mark and CRLF",
        visits: [
          Visit(editor: #"save $1; sed -i 's/$/\r/; 1s/^/\xEF\xBB\xBF/' $1"#, status: 0)
        ], outcome: .sent),
      Story(
        testDescription: "it saves nothing", visits: [Visit(editor: "true")], outcome: .nothing),
      Story(
        testDescription: "it empties the text", visits: [Visit(editor: ": >$1")],
        outcome: .nothing),
      Story(
        testDescription: "it fails, and saves nothing the next time",
        visits: [halfSaved, Visit(editor: "true", answers: "y\nn\n")], outcome: .kept),
      Story(
        testDescription: "it fails, saves nothing the next time, and the person confirms the text",
        visits: [halfSaved, Visit(editor: "true", answers: "y\ny\n", status: 0)], outcome: .sent),
      Story(
        testDescription: "it fails, and saves the same text the next time",
        visits: [halfSaved, savedAgain], outcome: .sent),
      Story(
        testDescription: "it is killed",
        visits: [Visit(editor: "save $1; kill -9 $$", status: 1)], outcome: .kept),
      Story(
        testDescription: "the terminal closes after it has saved",
        visits: [Visit(editor: "save $1; echo ready; cat", signal: 1), savedAgain],
        outcome: .sent),
      Story(
        testDescription: "the terminal closes, and it saves elsewhere, as nano does",
        visits: [
          Visit(editor: "save $1.save; echo ready; cat", signal: 1),
          savedAgain,
        ], outcome: .sent),
      Story(
        testDescription: "the terminal closes, and it looks for its swap file, as vim does",
        visits: [
          Visit(editor: "save $1.swp; echo ready; cat", signal: 1),
          Visit(editor: "mv $1.swp $1", answers: "y\n", status: 0),
        ], outcome: .sent),
    ]

    @Test(
      "only a text saved by the editor is sent, and an unsent text is kept",
      arguments: [["comment", "12"], ["create", "-e"], ["edit", "12"]], stories)
    func story(arguments: [String], story: Story) async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for visit in story.visits {
          try scene.folder.write(
            Data(
              #"save() { printf 'Mine\n\nOne\nTwo\n' >"$1"; }\#n\#(visit.editor)"#.utf8),
            to: "editor")
          let run = try scene.startOnTerminal(
            arguments + Self.repo, server, editor: "sh '\(scene.folder["editor"])'")
          run.write(visit.answers)
          if let signal = visit.signal {
            try await run.waitFor("ready")
            run.send(signal: signal)
          }
          let result = try await run.result()
          if visit.signal == nil, visit.editor != Self.halfSaved.editor {
            #expect(result.status == .exited(visit.status), "\(result.screen)")
          }
        }
        let drafts = try scene.drafts.values
        switch story.outcome {
        case .sent:
          #expect(Self.sent(by: arguments[0], scene) == Self.text)
          #expect(drafts.isEmpty)
        case .kept:
          #expect(scene.writes.isEmpty)
          #expect(drafts.contains("\(Self.text)\n"))
        case .nothing:
          #expect(scene.writes.isEmpty)
        }
      }
    }

    private static func sent(by command: String, _ scene: WriteScene) -> String? {
      if command == "comment" { return scene.writtenComments(on: 12).first }
      return scene.issue(command == "create" ? 21 : 12).map { "\($0.title)\n\n\($0.body ?? "")" }
    }

    @Test("a text from the command line isn't sent if the editor saves nothing")
    func givenText() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for (answer, status) in [("n", 2), ("y", 0)] as [(String, Int32)] {
          let run = try scene.startOnTerminal(
            ["create", "-e", "-t", "It", "-b", "Text"] + Self.repo, server, editor: "true")
          try await run.answer(["Use the text as it is? [y/N]": "\(answer)\n"])
          let result = try await run.result()
          #expect(result.status == .exited(status), "\(result.screen)")
          #expect(scene.writes.isEmpty == (answer == "n"))
        }
      }
    }

    @Test("an interrupted edit doesn't overwrite another user's later change")
    func recoveredEdit() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        _ = try await scene.startOnTerminal(
          ["edit", "12"] + Self.repo, server, editor: #"sh -c 'echo Mine >"$1"; exit 1' sh"#
        ).result()
        scene.github.changeIssue(12, of: WriteScene.repository) { $0.title = "Theirs" }
        let result = try await scene.startOnTerminal(
          ["edit", "12", "--recover"] + Self.repo, server, editor: "touch -d @0"
        ).result()
        #expect(result.status == .exited(9), "\(result.screen)")
        #expect(scene.issue(12)?.title == "Theirs")
      }
    }

    @Test("drafts without a text are removed after a week")
    func emptyDrafts() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        func comment(on number: Int) async throws -> [String: String] {
          _ = try await scene.startOnTerminal(
            ["comment", "\(number)"] + Self.repo, server, editor: "true"
          ).result()
          return try scene.drafts
        }
        for _ in 1...3 { #expect(try await comment(on: 12).count == 2) }
        let old = try #require(try scene.drafts.keys.first { $0.hasSuffix(".md") })
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 0)],
          ofItemAtPath: scene.folder["issues/drafts/\(old)"])
        #expect(try await comment(on: 13).keys.filter { $0.hasSuffix(".md") } != [old])
        #expect(try scene.drafts.count == 2)
      }
    }
  }
}
