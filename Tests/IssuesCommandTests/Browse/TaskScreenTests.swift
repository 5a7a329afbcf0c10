import PlatformModules
import TestSupport
import Testing

/// The tasks of every day, each with the number of keys that it takes.
extension CommandTests {
  @Suite(
    "Eleven tasks on the screen", .timeLimit(.minutes(5)),
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct TaskScreenTests {
    /// A window whose keys are counted.
    private struct Keyboard {
      let window: TmuxSession
      private(set) var count = 0

      init(_ window: TmuxSession) { self.window = window }

      mutating func press(_ keys: String...) {
        count += keys.count
        for key in keys { window.press(key) }
      }

      mutating func type(_ text: String) {
        count += text.count
        window.type(text)
      }

      /// The number of keys since the last call.
      mutating func taken() -> Int {
        defer { count = 0 }
        return count
      }
    }

    private static func scene() throws -> WriteScene {
      let scene = try WriteScene {
        $0.anyRepository = SyntheticIssues(
          count: 20, pullRequests: 0, closed: 0, newest: 1_700_000_000)
      }
      try FileManager.default.createDirectory(
        atPath: scene.folder["issues"], withIntermediateDirectories: true)
      let views = """
        [views.both]
        query = "is:open sort:created-desc"
        repositories = ["swiftlang/swift", "a/b"]
        """
      try scene.folder.write(Data(views.utf8), to: "issues/config.toml")
      return scene
    }

    @Test(
      "no task takes more keys than before, in one repository and in a view of two",
      arguments: [(place: "a/b", rows: 20), (place: "@both", rows: 40)])
    func tasks(place: String, rows: Int) async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let own = scene.environment.merging([
          "XDG_CONFIG_HOME": scene.folder.path, "BROWSER": "true",
          "EDITOR": #"sh -c 'printf "Counted." > "$1"' sh"#,
        ]) { $1 }
        let window = try await ScriptedScreenTests.window(
          columns: 120, rows: 40, environment: own)
        _ = try await window.ask("set-option -s set-clipboard on")
        window.type("$issues browse \(place) --api-url \(server.url)")
        window.press("Enter")
        let list = "row 1 of \(rows) "
        try await window.see(list)
        var keys = Keyboard(window)

        keys.press("/")
        keys.type("swi")
        try await window.see("the repositories") {
          $0.contains("Repositories matching “swi”") && $0.contains("swiftlang/swift")
        }
        keys.press("Enter")
        try await window.see("the first repository") { $0.contains("Enter issues") }
        keys.press("Enter")
        try await window.see("the issues") { $0.contains("row 1 of 20 ") }
        #expect(keys.taken() <= 6, "a repository by part of its name")

        window.press("[")
        try await window.see("Repositories matching “swi”")
        window.press("[")
        let former = { (screen: String) in
          screen.contains(list) && !screen.contains("❯ swi")
        }
        try await window.see("the first list", where: former)
        window.press("/")
        window.type("swiftlang/swift")
        window.press("Enter")
        try await window.see("the other repository") {
          $0.contains("❯ swiftlang/swift") && $0.contains("x close")
        }
        keys.press("[")
        try await window.see("the former repository", where: former)
        #expect(keys.taken() <= 1, "the former repository")

        keys.press("f")
        keys.type("la")
        try await window.see("label:")
        keys.press("Tab")
        keys.type("bu")
        try await window.see("label:bug")
        keys.press("Enter")
        try await window.see("the bugs") { $0.contains("row 1 of") && !$0.contains("filter: ") }
        #expect(keys.count <= 8, "a label by two letters")
        keys.press("Enter")
        try await window.see("the newest bug") { $0.contains(" Open") && $0.contains("opened") }
        #expect(keys.taken() <= 9, "the newest bug")
        window.press("Escape")
        try await window.see("the bugs") { $0.contains("row 1 of") }
        window.press("Escape")
        try await window.see(list)

        keys.press("Enter")
        try await window.see("all comments") {
          $0.contains("comment") && !$0.contains("loading")
        }
        #expect(keys.taken() <= 1, "all comments")

        keys.press("/")
        window.type("opened")
        try await window.see("1 of")
        keys.press("Enter")
        try await window.see("“opened”: 1 of")
        #expect(keys.taken() <= 2, "text in an issue")
        window.press("Escape")
        try await window.see("no text") { !$0.contains("“opened”") }
        window.press("Escape")
        try await window.see(list)

        keys.press("c")
        try await window.see("the list again") { $0.contains("[comment]") }
        #expect(keys.taken() <= 1, "a comment")

        window.press("j")
        keys.press("x")
        try await window.see("not planned")
        keys.press("n", "Enter")
        try await window.see("the change, or its end") {
          $0.contains("Waiting: close ") || $0.contains("Done: close ")
        }
        #expect(keys.taken() <= 3, "closing with a reason")

        window.press("g")
        keys.press("Space", "Space", "Space", "Space", "Space")
        try await window.see("5 selected")
        keys.press("L")
        try await window.see("the labels") {
          $0.contains("Labels of 5 issues") && $0.contains("wontfix")
        }
        keys.type("wo")
        try await window.see("the label") { $0.contains("❯ wo") && $0.contains("[ ] wontfix") }
        keys.press("Enter")
        try await window.see("+wontfix?")
        keys.press("Enter")
        try await window.see("no question") { !$0.contains("+wontfix?") }
        #expect(keys.taken() <= 10, "a label on five issues")

        window.press("g")
        keys.press("o")
        try await window.see("Opened http")
        #expect(keys.taken() <= 1, "the web browser")

        keys.press("Y")
        try await window.see("Copied http")
        #expect(keys.taken() <= 1, "copying the address")
      }
    }

    @Test("an inbox of ten is emptied with four keys, and u brings all of it back")
    func inbox() async throws {
      let scene = try WriteScene {
        $0.notifications = (1...10).map {
          SyntheticNotification(id: 500 + $0, number: $0, updatedAt: 1_700_000_000 + $0)
        }
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let window = try await ScriptedScreenTests.window(
          columns: 120, rows: 40, environment: scene.environment)
        window.type("$issues browse swiftlang/swift --api-url \(server.url)")
        window.press("Enter")
        try await window.see("row 1 of ")
        var keys = Keyboard(window)
        keys.press("i")
        try await window.see("the inbox") { $0.contains("row 1 of 10") }
        keys.press("*", "d")
        try await window.see("Mark 10 notifications as done?")
        keys.press("Enter")
        try await window.see("There are no unread notifications")
        #expect(keys.taken() <= 4, "an empty inbox")
        keys.press("u")
        try await window.see("the inbox again") { $0.contains("row 1 of 10") }
        keys.press("d")
        try await window.see("the next row") { $0.contains("row 1 of 9") }
        keys.press("q")
        try await window.see("the end of the change") { _ in
          scene.github.notifications.current.count(where: \.isDone) == 1
        }
        #expect(keys.taken() <= 3, "one notification")
      }
    }
  }
}
