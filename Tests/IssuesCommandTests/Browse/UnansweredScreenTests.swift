import TestSupport
import Testing

/// The screen against a server that has fallen silent: whatever is pressed is answered by the screen itself.
extension CommandTests {
  @Suite(
    "The screen without responses", .timeLimit(.minutes(5)),
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct UnansweredScreenTests {
    @Test("every key works without a response, and a new request cancels the previous one")
    func nothingAnswered() async throws {
      let never = Gate()
      try await withLoopbackServer { _ in
        await never.wait()
        return .json("[]")
      } perform: { server in
        let window = try await ScriptedScreenTests.window()
        let wishes = Wishes(log: server.log)
        try await ScriptedScreenTests.browse(window, server)
        window.type("apple/swift")
        window.press("Enter")
        var pending = try await wishes.arrival("/repos/apple/swift")
        try await window.see("q quit")

        window.press("?")
        try await window.see("type to search")
        window.press("Escape")
        try await window.see("no help") { !$0.contains("type to search") }

        window.press("f")
        try await window.see("filter: ")
        window.press("C-u")
        window.type("is:closex")
        window.press("BSpace")
        window.type("d label:\"good first issue\"")
        try await window.see("filter: is:closed label:\"good first issue\"")
        window.press("Enter")
        pending = try await wishes.change(from: pending, to: "/repos/apple/swift")
        for keys in [["s", "Down", "Enter"], ["r"]] {
          for key in keys { window.press(key) }
          pending = try await wishes.change(from: pending, to: "/repos/apple/swift")
        }
        for key in ["Down", "Up", "j", "k", "PageDown", "PageUp", "End", "Home", "G", "g", "o"] {
          window.press(key)
        }
        window.press("C-l", "Tab")
        try await window.see("Tab list")
        window.press("BTab")
        try await window.see("q quit")

        window.resize(columns: 40, rows: 10)
        try await window.see("a window of 40") { screen in
          screen.split(separator: "\n").allSatisfy { $0.count <= 40 } && screen.contains("❯")
        }
        window.resize(columns: 80, rows: 24)
        try await window.see("q quit")
        window.press("C-z")
        // Keys typed earlier could be read by the screen.
        try await window.see("Stopped")
        window.type("echo $((6*7))")
        window.press("Enter")
        // Behind the prompt, where the shell was still about to write it.
        try await window.see("42") { screen in
          screen.split(separator: "\n").contains { $0 == "42" || $0 == "$ 42" }
        }
        window.type("fg")
        window.press("Enter")
        try await window.see("❯ apple/swift")

        window.press("/", "C-u")
        window.type("vapor/vapor")
        pending = try await wishes.change(from: pending, to: "/repos/vapor/vapor")
        window.press("C-u")
        window.type("http client")
        pending = try await wishes.change(from: pending, to: "/search/repositories")
        window.press("C-c")
        try await window.see("the prompt") { $0.hasSuffix("\n$") }
        _ = try await server.log.waitForCancellation { [pending] in $0.number == pending }
      }
    }

    @Test("once the list is loaded, moving, reading, filtering and leaving don't need a response")
    func nothingMore() async throws {
      let repository = LoopbackRepository.swift(
        issues: SyntheticIssues(count: 300, pullRequests: 0, closed: 0))
      let github = LoopbackGitHub(repositories: [repository])
      for number in 299...300 { github.changeIssue(number, of: repository) { $0.comments = 3 } }
      let answers = Gate(isOpen: true)
      try await withLoopbackServer { request in
        await answers.wait()
        return await github.handler(request)
      } perform: { server in
        let window = try await ScriptedScreenTests.window(columns: 140, rows: 40)
        let wishes = Wishes(log: server.log)
        try await ScriptedScreenTests.browse(window, server)
        window.type("swiftlang/swift")
        window.press("Enter")
        try await window.see("▌● #300 ")
        try await window.see("row 1 of 100+")
        answers.close()

        for (key, row) in [
          ("Down", 299), ("Up", 300), ("j", 299), ("k", 300), ("End", 201), ("Home", 300),
          ("G", 201), ("g", 300),
        ] {
          window.press(key)
          try await window.see("▌● #\(row) ")
        }
        let page = try await wishes.arrival("/issues")
        window.press("PageDown")
        try await window.see("another row") { $0.contains("▌● #2") }
        window.press("PageUp")
        try await window.see("▌● #300 ")
        // The wheel, three rows down, and a click into the fifth row of the list.
        window.press("-H", "1b", "5b", "3c", "36", "35", "3b", "39", "3b", "39", "4d")
        try await window.see("the list from #297 on") {
          $0.contains("\n ● #297 ") || $0.contains("\n▌● #297 ")
        }
        for end in ["4d", "6d"] {
          window.press("-H", "1b", "5b", "3c", "30", "3b", "39", "3b", "38", end)
        }
        try await window.see("▌● #293 ")
        window.press("Home")
        try await window.see("▌● #300 ")

        window.press("Enter")
        var comments = try await wishes.arrival("/issues/300/comments")
        try await window.see("the reader") { $0.contains("┃ ● #300 ") && $0.contains("0 of 3") }
        window.press("J")
        comments = try await wishes.change(from: comments, to: "/issues/299/comments")
        try await window.see("┃ ● #299 ")
        window.press("K")
        comments = try await wishes.change(from: comments, to: "/issues/300/comments")
        try await window.see("┃ ● #300 ")
        window.press("r")
        comments = try await wishes.change(from: comments, to: "/issues/300/comments")
        window.press("o")
        try await window.see("No web browser: ")
        window.press("Tab")
        try await window.see("the search bar has the keys") { $0.contains("│ ● #300 ") }
        window.press("Tab", "Tab")
        try await window.see("┃ ● #300 ")
        window.press("Escape")
        try await window.see("no reader") { !$0.contains("┃") }
        _ = try await server.log.waitForCancellation { [comments] in $0.number == comments }

        window.press("f", "C-u")
        window.type("label:bug")
        try await window.see("filter: label:bug")
        window.press("Enter")
        let filtered = try await wishes.change(from: page, to: "/issues")
        window.press("s", "Down", "Enter")
        let sorted = try await wishes.change(from: filtered, to: "/issues")
        window.press("q")
        try await window.see("the prompt") { $0.hasSuffix("\n$") }
        _ = try await server.log.waitForCancellation { $0.number == sorted }
      }
    }
  }
}

/// The screen's started and canceled requests, by number.
private struct Wishes {
  let log: RequestLog

  /// Waits for a request that isn't answered.
  func arrival(_ path: String, after number: Int = 0) async throws -> Int {
    try await log.waitForOutcome(.pending) {
      $0.path.hasSuffix(path) && $0.number > number
    }.number
  }

  /// Waits until one request was given up and another has come.
  func change(from number: Int, to path: String) async throws -> Int {
    _ = try await log.waitForCancellation { $0.number == number }
    return try await arrival(path, after: number)
  }
}
