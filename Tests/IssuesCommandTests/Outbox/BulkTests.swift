import IssueOutbox
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("Changes with --where", .timeLimit(.minutes(5)))
  struct BulkTests {
    private static let repository = ["-R", "swiftlang/swift"]

    /// The open issues by an author, newest first, as the made-up server has them.
    private func numbers(by author: String, _ scene: OutboxScene) -> [Int] {
      scene.github.issues(of: OutboxScene.repository).filter { $0.author == author && $0.isOpen }
        .map(\.number).sorted(by: >)
    }

    /// An author with two or three issues, so that a test doesn't wait long for the pace of GitHub.
    private func author(_ scene: OutboxScene) throws -> String {
      try #require(
        Set(scene.github.issues(of: OutboxScene.repository).map(\.author)).sorted()
          .first { (2...3).contains(numbers(by: $0, scene).count) })
    }

    @Test("without a terminal, --where needs --yes, and prints each issue's address")
    func yes() async throws {
      let scene = try OutboxScene()
      let author = try author(scene)
      let wanted = numbers(by: author, scene)
      let arguments = ["close", "--where", "is:open author:\(author)"] + Self.repository
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let refused = try await scene.run(arguments, server)
        #expect(refused.status == .exited(64))
        #expect(
          refused.errorLines == ["Close: \(wanted.count) issues of swiftlang/swift"]
            + wanted.map { number in "#\(number) \((try? scene.issue(number))?.title ?? "")" }
            + [
              "issues: nothing was changed",
              "Confirm with --yes, or preview the changes with --dry-run.",
            ])
        #expect(scene.github.receipts.isEmpty)
        let result = try await scene.run(arguments + ["--yes"], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(
          result.lines == wanted.map { "https://github.com/swiftlang/swift/issues/\($0)" })
        #expect(numbers(by: author, scene).isEmpty)
        let none = try await scene.run(arguments + ["--yes", "--json"], server)
        #expect(none.status == .exited(0))
        #expect(none.outputText == "[]\n")
        #expect(none.errorText.contains("Nothing matches in swiftlang/swift"))
      }
    }

    @Test("on a terminal, --where shows a preview of the first issues, and n changes nothing")
    func preview() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let arguments = ["lock", "--where", "is:open", "--reason", "resolved"] + Self.repository
        let run = try scene.start(arguments, server, connection: OutboxScene.terminal)
        try await run.waitFor("Lock as resolved: 12 issues of swiftlang/swift. Go on? [y/N] ")
        run.write("n\n")
        let result = try await run.result()
        #expect(result.status == .exited(2))
        #expect(result.screen.contains("The first 10 of 12:"))
        #expect(result.screen.contains("\n#12  "))
        #expect(!result.screen.contains("\n#2  "))
        #expect(scene.github.receipts.isEmpty)

        let few = try scene.start(
          arguments + ["--limit", "2"], server, connection: OutboxScene.terminal)
        try await few.waitFor("2 issues of swiftlang/swift. Go on? [y/N] ")
        few.write("y\n")
        let locked = try await few.result()
        #expect(locked.status == .exited(0), "\(locked.screen)")
        #expect(locked.screen.contains("✓ Locked swiftlang/swift#12: "))
        #expect(try scene.issue(12).lockReason == "resolved")
        #expect(try scene.issue(11).isLocked)
        #expect(try !scene.issue(10).isLocked)
      }
    }

    @Test("--dry-run prints each request, sends nothing, and omits issues that need no change")
    func dryRun() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          [
            "edit", "--where", "is:issue", "--dry-run", "--add-label", "bug", "--remove-label",
            "compiler", "--add-assignee", "ada",
          ] + Self.repository, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(scene.github.receipts.isEmpty)
        #expect(try await scene.run(["outbox"]).outputText.isEmpty)
        let path = "/repos/swiftlang/swift/issues/12"
        #expect(
          result.cells.prefix(3) == [
            ["POST", "\(path)/labels", #"{"labels":["bug"]}"#],
            ["DELETE", "\(path)/labels/compiler", ""],
            ["POST", "\(path)/assignees", #"{"assignees":["ada"]}"#],
          ], "\(result.outputText)")
        let labelled = scene.github.issues(of: OutboxScene.repository).filter {
          $0.labels.contains { $0.name == "bug" }
        }.map(\.number)
        #expect(!labelled.isEmpty && labelled.count < 12)
        let labels = try await scene.run(
          ["edit", "--where", "is:issue", "--dry-run", "--add-label", "bug"] + Self.repository,
          server)
        #expect(labels.lines.count == 12 - labelled.count)
        for number in labelled {
          #expect(!labels.outputText.contains("/issues/\(number)/"))
        }
      }
    }

    @Test("--dry-run --json prints the issues to change, and sends nothing")
    func dryRunJSON() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["close", "--where", "is:open", "--limit", "2", "--dry-run", "--json", "number,state"]
            + Self.repository, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let objects = #"{"number":12,"state":"open"},"# + "\n" + #"{"number":11,"state":"open"}"#
        #expect(result.outputText == "[\n\(objects)\n]\n")
        #expect(scene.github.receipts.isEmpty)
      }
    }

    @Test(
      "--where --offline searches and lists in the mirror without a request"
    )
    func offline() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        _ = try await scene.run(["sync", "swiftlang/swift"], server)
        let before = server.log.connectionCount
        let query = "is:open created:<2030-01-01 sort:created-asc"
        let result = try await scene.run(
          ["close", "--where", query, "--offline", "--dry-run", "--limit", "2"]
            + Self.repository, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.cells.map { $0[1] }.map { $0.hasSuffix("/issues/1") } == [true, false])
        #expect(result.lines.count == 2)
        #expect(server.log.connectionCount == before)
      }
    }

    @Test("a token that fails midway leaves the rest queued, and 'send --bulk' continues")
    func brokenOff() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        scene.github.strike(.unauthorized, after: 1)
        let result = try await scene.run(
          ["comment", "--where", "is:open", "--limit", "3", "--body", "Moved.", "--yes"]
            + Self.repository, server)
        #expect(result.status == .exited(75), "\(result.errorText)")
        #expect(result.lines.count == 1)
        #expect(result.errorText.contains("2 of 3 changes aren't on the server: 2 queued"))
        #expect(result.errorText.contains("'issues outbox send --bulk 1' continues"))
        #expect(try await scene.states() == [.sent, .queued, .queued])
        // A stopped bulk isn't finished by a plain send.
        #expect(try await scene.run(["outbox", "send"], server).status == .exited(0))
        #expect(try await scene.run(["sync", "swiftlang/swift"], server).status == .exited(0))
        #expect(try await scene.states() == [.sent, .queued, .queued])
        let list = try await scene.run(["outbox", "--json", "bulk", "--jq", ".[].bulk"])
        #expect(list.lines == ["1", "1"])
        let rest = try await scene.run(["outbox", "send", "--bulk", "1"], server)
        #expect(rest.status == .exited(0), "\(rest.errorText)")
        #expect(rest.lines.count == 2)
        try await scene.run(["outbox", "send", "--bulk", "1"], server)
          .expectFailure(3, saying: ["nothing is left of a bulk 1"])
        for number in 10...12 { #expect(scene.writtenComments(on: number) == ["Moved."]) }
      }
    }

    @Test("Ctrl-C reports the number of unsent changes, and they can be dropped together")
    func interrupted() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.start(
          ["lock", "--where", "is:open", "--limit", "4", "--yes"] + Self.repository, server,
          connection: OutboxScene.terminal)
        try await run.waitFor("✓ Locked swiftlang/swift#12")
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .signalled(2))
        #expect(result.outputText.contains(" of 4 changes stay in the outbox: "))
        #expect(result.outputText.contains("'issues outbox drop --bulk 1' drops them."))
        let dropped = try await scene.run(["outbox", "drop", "--bulk", "1", "--yes"])
        #expect(dropped.status == .exited(0), "\(dropped.errorText)")
        #expect(try await scene.states().allSatisfy { $0 == .sent })
        try await scene.queue(["reopen", "5"], server)
        #expect(try await scene.run(["outbox", "drop", "--all", "--yes"]).lines.count == 1)
        try await scene.run(["outbox", "drop"]).expectFailure(64, saying: ["--bulk ID or --all"])
      }
    }

    @Test("a change of more issues than a search returns needs a limit")
    func incomplete() async throws {
      let repository = LoopbackRepository.swift(
        issues: SyntheticIssues(
          count: 1_100, pullRequests: 0, closed: 0, newest: 1_700_000_000))
      let scene = try OutboxScene { $0.repositories = [repository] }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        // A list can't say this, so it is a search.
        let arguments = ["close", "--where", "is:open comments:>=0", "--dry-run"] + Self.repository
        try await scene.run(arguments, server).expectFailure(
          1, saying: ["nothing was changed", "1,100", "--offline"])
        let some = try await scene.run(arguments + ["--limit", "101"], server)
        #expect(some.status == .exited(0), "\(some.errorText)")
        #expect(some.lines.count == 101)
        let listed = try await scene.run(
          ["close", "--where", "is:open", "--dry-run"] + Self.repository, server)
        #expect(listed.lines.count == 1_100)
      }
    }

    @Test(
      "a typo in --where is refused before any request, with a suggestion",
      arguments: [
        ("labl:bug is:open", "'labl:'; did you mean 'label:'?"),
        ("is:opne", "'is:opne'; did you mean 'is:open'?"),
        ("stat:closed", "'stat:'; did you mean 'state:'?"),
        ("label:bug -auhtor:ada", "'auhtor:'; did you mean 'author:'?"),
        ("(label:bug OR lable:crash)", "'lable:'; did you mean 'label:'?"),
        ("reason:not-planned", "did you mean 'reason:\"not planned\"'?"),
        ("no:labels", "did you mean 'no:label'?"), ("state:done", "there are state:open"),
        ("label: bug", "'label:' has no value"), ("error: crash", "put it in quotation marks"),
        ("repo:apple/swift is:open", "name it with --repo"),
        ("updated:<yesterday", "updated:>=2026-01-31"), ("comments:>many", "comments:>10"),
        ("sort:updatd-asc", "did you mean 'sort:updated'?"), ("\"crash", "unclosed"),
      ], [[], ["--offline"]])
    func slips(slip: (query: String, words: String), source: [String]) async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.run(
          ["close", "--where", slip.query, "--yes"] + source + Self.repository, server
        ).expectFailure(64, saying: ["--where", slip.words])
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test(
      "--where accepts GitHub's documented qualifiers, plain words and quoted text",
      arguments: [
        "is:open label:bug,\"help wanted\" no:milestone", "-label:bug (crash OR hang)",
        "\"labl:bug\" std::vector https://example.com 12:30", "Is:Open reason:\"not planned\"",
        "type:Bug created:2025-01-01..* comments:5..10 sort:reactions-desc", "in:title,body crash",
        "author:app/dependabot assignee:@me team:apple/core closed:>=2026-01-31T12:00:00Z",
        "milestone:\"6.3\" -linked:pr updated:<2025-01-01", "label:\"a:b\" C++ crash",
      ])
    func documented(query: String) {
      #expect(throws: Never.self) { try BulkQuery.check(query) }
    }

    @Test("a search result with issues of another repository changes nothing")
    func otherRepository() async throws {
      let other = LoopbackRepository(
        id: 7, owner: "swiftlang", name: "driver",
        issues: SyntheticIssues(count: 5, pullRequests: 0, closed: 0))
      let scene = try OutboxScene { $0.repositories.append(other) }
      // A server that takes the place in a search for one of several, as those without the advanced search do.
      let github = scene.github.handler
      let handler: LoopbackServer.Handler = { request in
        guard request.path == "/search/issues" else { return await github(request) }
        let items = [Self.found("swift", 3), Self.found("driver", 4)].joined(separator: ",")
        return .json(#"{"total_count":2,"incomplete_results":false,"items":[\#(items)]}"#)
      }
      try await withLoopbackServer(answering: handler) { server in
        try await scene.run(
          ["close", "--where", "is:open comments:>=0", "--yes"] + Self.repository, server
        ).expectFailure(7, saying: ["nothing was changed", "other repositories"])
        #expect(scene.github.receipts.isEmpty)
      }
    }

    private static func found(_ repository: String, _ number: Int) -> String {
      """
      {"id":\(number),"number":\(number),"title":"x","state":"open","labels":[],"assignees":[],\
      "comments":0,"html_url":"https://github.com/swiftlang/\(repository)/issues/\(number)"}
      """
    }

    @Test(
      "incompatible options of a bulk change are refused",
      arguments: [
        (["close", "5", "--where", "is:open"], "leave out their numbers"),
        (["close"], "--where QUERY"), (["close", "5", "--yes"], "--yes only makes sense"),
        (["close", "5", "--dry-run"], "--dry-run only makes sense"),
        (["close", "--where", " "], "requires a search"),
        (["edit", "--where", "is:open"], "specify a label"),
        (["edit", "--where", "is:open", "--title", "x"], "for one issue"),
        (["comment", "--where", "is:open"], "--body"),
        (["comment", "--where", "is:open", "--delete-last"], "--body"),
      ])
    func usage(arguments: [String], words: String) async throws {
      let scene = try OutboxScene()
      try await scene.run(arguments + Self.repository).expectFailure(64, saying: [words])
    }
  }
}
