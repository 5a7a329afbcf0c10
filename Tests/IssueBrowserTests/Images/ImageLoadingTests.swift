import GitHubAPI
import HTTPTargets
import IssueTracker
import PlatformModules
import StyledText
import TerminalMarkdown
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Images of an issue", .timeLimit(.minutes(5)))
struct ImageLoadingTests {
  private static let token = "ghp_SeCrEtSeCrEtSeCrEt0123456789abcdef"
  private static let cell = CellSize(width: 10, height: 20)

  /// The last issue has a text made with the server's address.
  private static func read(
    _ body: @escaping @Sendable (String) -> String,
    answering answer: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse = { _ in
      Self.image(300, 100)
    },
    _ test: (BrowserRun, LoopbackServer) async throws -> Void
  ) async throws {
    let recipe = SyntheticIssues(count: 3, pullRequests: 0, closed: 0)
    var world = BrowserWorld(issues: recipe)
    world.token = try AccessToken(token)
    let repository = LoopbackRepository.swift(issues: recipe)
    world.github.changeIssue(3, of: repository) { $0.comments = 0 }
    world.github.intercept(
      where: { $0.path.hasPrefix("/images/") },
      response: { request, _ in
        answer(request)
      })
    let github = world.github
    try await world.run(nil) { run, server in
      github.changeIssue(3, of: repository) { $0.body = body(server.url) }
      await run.type("swiftlang/swift")
      await run.press(.enter)
      try await run.eventualState { $0.isSettled }
      await run.press(.enter)
      try await run.state { $0.reader?.lines.isEmpty == false }
      try await test(run, server)
    }
  }

  private static func image(_ width: Int, _ height: Int) -> LoopbackResponse {
    LoopbackResponse(
      headers: ["Content-Type": "image/png"], body: PNG.image(width: width, height: height))
  }

  private static func requests(_ server: LoopbackServer) -> [LoopbackRequest] {
    server.log.requests.filter { $0.path.hasPrefix("/images/") }
  }

  @Test("a visible image gets space below its text, and a position on the screen")
  func loaded() async throws {
    try await Self.read { own in
      "Before\n\n![A shot](\(own)/images/a.png#gh-dark-mode-only)\n"
        + String(repeating: "\nAfter\n", count: 40)
    } _: { run, server in
      let lines = run.state.reader?.lines.count ?? 0
      await run.input(.showsImages(try #require(Self.cell)))
      let state = try await run.eventualState { $0.reader?.lines.count == lines + 5 }
      let image = try #require(state.reader?.document.images.first)
      #expect(image.columns == 30)
      #expect(state.reader?.lines[image.lines.lowerBound - 1].plain.contains("A shot") == true)
      let canvas = BrowserScreen.canvas(of: state)
      let placement = try #require(canvas.placements.first)
      #expect(placement.columns == 30 && placement.rows == 0..<5 && placement.height == 5)
      #expect(canvas.images == [placement.image])
      let rows = canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(rows[placement.row - 1].contains("A shot"))
      #expect(rows[placement.row..<placement.row + 5].allSatisfy { !$0.contains("After") })

      // Half of it above the reader, something in front of it, and no reader.
      await run.press(.down, .down)
      var scrolled = BrowserScreen.canvas(of: run.state)
      #expect(scrolled.placements.first?.row == placement.row - 2)
      await run.input(.key(.home))
      for _ in 0..<placement.row { await run.press(.down) }
      scrolled = BrowserScreen.canvas(of: run.state)
      #expect(scrolled.placements.first?.rows == 2..<5)
      #expect(scrolled.placements.first?.row == 2)
      await run.press(.home, .character("?"))
      let covered = BrowserScreen.canvas(of: run.state)
      #expect(covered.placements.isEmpty && covered.images == canvas.images)
      await run.press(.escape, .character("q"))
      #expect(BrowserScreen.canvas(of: run.state).images.isEmpty)

      #expect(Self.requests(server).map(\.target) == ["/images/a.png"])
      #expect(Self.requests(server)[0].headers["Authorization"] == nil)
      #expect(server.issueRequests[0].headers["Authorization"] == "Bearer \(Self.token)")
    }
  }

  @Test("images aren't requested if the terminal can't show them")
  func off() async throws {
    try await Self.read {
      "![A shot](\($0)/images/a.png)"
    } _: { run, server in
      run.clock.advance(by: .seconds(5))
      #expect(run.state.reader?.document.images.isEmpty == true)
      _ = try await server.settledRequests
      #expect(Self.requests(server).isEmpty)
    }
  }

  @Test("images on other hosts, files and data URLs remain text and aren't requested")
  func foreign() async throws {
    try await withLoopbackServer { _ in
      Self.image(8, 8)
    } perform: { other in
      try await Self.read { own in
        """
        ![a](\(other.url)/a.png) ![b](data:image/png;base64,iVBORw0KGgo=) ![c](file:///etc/passwd)
        ![d](https://127.0.0.1/images/d.png) <img src="\(other.url)/e.png"> ![f](\(own)/images/f.png)
        """
      } _: { run, server in
        await run.input(.showsImages(try #require(Self.cell)))
        let state = try await run.eventualState { $0.reader?.images.loaded.count == 1 }
        #expect(state.nextImage == nil)
        #expect(Self.requests(server).count == 1)
        #expect(other.log.requestCount == 0)
      }
    }
  }

  @Test("a redirect is followed on the same server, and not to another host")
  func redirects() async throws {
    try await withLoopbackServer { _ in
      Self.image(8, 8)
    } perform: { other in
      try await Self.read {
        "![a](\($0)/images/away) ![b](\($0)/images/near)"
      } answering: { request in
        if request.path == "/images/b.png" { return Self.image(8, 8) }
        let place = request.path == "/images/away" ? "\(other.url)/a.png" : "/images/b.png"
        return LoopbackResponse(status: 302, headers: ["Location": place])
      } _: { run, server in
        await run.input(.showsImages(try #require(Self.cell)))
        let state = try await run.eventualState { $0.reader?.images.loaded.count == 1 }
        #expect(state.reader?.images.loaded.keys.first?.url.hasSuffix("near") == true)
        #expect(
          Self.requests(server).map(\.path) == ["/images/away", "/images/near", "/images/b.png"])
        #expect(other.log.requestCount == 0)
      }
    }
  }

  @Test("a long, endless, broken or invalid image remains text, and the next image is shown")
  func broken() async throws {
    try await Self.read { own in
      ["long", "endless", "missing", "page", "bomb", "empty", "good"]
        .map { "![\($0)](\(own)/images/\($0))" }.joined(separator: "\n\n")
    } answering: { request in
      switch request.path {
      case "/images/long":
        LoopbackResponse(
          body: PNG.image(claiming: (9, 9), pixels: Data(count: ImageLoading.limit)))
      case "/images/endless":
        .script(
          [.send(Data("HTTP/1.1 200 OK\r\n\r\n".utf8) + PNG.image(width: 9, height: 9))]
            + (0..<8).map { _ in .send(Data(count: 1 << 20)) } + [.stall])
      case "/images/missing": LoopbackResponse(status: 404, body: PNG.image(width: 9, height: 9))
      case "/images/page": .text("<!DOCTYPE html>")
      case "/images/bomb":
        LoopbackResponse(body: PNG.image(claiming: (100_000, 100_000), pixels: Data(count: 9)))
      case "/images/empty":
        LoopbackResponse(body: PNG.image(claiming: (0, 9), pixels: Data(count: 9)))
      default: Self.image(8, 8)
      }
    } _: { run, server in
      await run.input(.showsImages(try #require(Self.cell)))
      let state = try await run.eventualState { $0.reader?.images.loaded.count == 1 }
      #expect(state.reader?.images.loaded.keys.first?.url.hasSuffix("good") == true)
      #expect(state.nextImage == nil)
      #expect(Self.requests(server).count == 7)
    }
  }

  @Test("only visible images are loaded, one at a time and at most sixteen")
  func thousands() async throws {
    let gate = Gate()
    try await Self.read { own in
      (0..<1_000).map { "![i](\(own)/images/\($0))" }.joined(separator: "\n\n")
    } answering: { request in
      let answer = LoopbackResponse(status: 404)
      return request.path == "/images/0" ? answer.held(by: gate) : answer
    } _: { run, server in
      await run.input(.showsImages(try #require(Self.cell)))
      try await run.state { $0.nextImage != nil }
      try await run.eventualState { _ in !Self.requests(server).isEmpty }
      // The second, for which nobody waited yet, would come while the first is held.
      try await run.eventualState { [start = run.clock.now] _ in
        run.clock.now >= start.advanced(by: .seconds(2))
      }
      #expect(Self.requests(server).map(\.path) == ["/images/0"])
      gate.open()
      try await run.eventualState { $0.nextImage == nil }
      let visible = Self.requests(server).count
      #expect((5..<16).contains(visible))
      while run.state.reader.map({ $0.top < 100 }) == true {
        await run.press(.pageDown)
        try await run.eventualState { $0.nextImage == nil }
      }
      #expect(Self.requests(server).count == 16)
    }
  }

  @Test("an image that is scrolled out of sight before its turn isn't requested")
  func passed() async throws {
    try await Self.read { own in
      "![a](\(own)/images/a)\n" + String(repeating: "\nText\n", count: 40)
        + "\n![b](\(own)/images/b)"
    } _: { run, server in
      await run.input(.showsImages(try #require(Self.cell)))
      try await run.state { $0.nextImage != nil }
      await run.press(.end)
      try await run.eventualState { $0.reader?.images.loaded.count == 1 }
      #expect(Self.requests(server).map(\.path) == ["/images/b"])
    }
  }
}
