import Foundation
import TestSupport
import Testing

extension CommandTests {
  @Suite("All of the server's fields in --json", .timeLimit(.minutes(10)))
  struct SentFieldTests {
    /// An answer with things that a decoder loses, and what is to be written of it.
    static let odd = (
      sent: Data(
        """
        [ { "id" : 1234567890123456789, "number": 7,
            "title": "a\\/b\\u00e9 \u{85}\u{202E}", "state": "open", "score": 1.0, "ratio": 1E-2,
            "zeta": {"b": null, "a": [ 1, { } ]}, "brand_new": "x\\ud800y", "body": "z
        """.utf8) + [0xFF]
        + Data(
          #"\#u{1F44D}", "user": null, "repository": {"full_name": "x/y"}, "labels": [] } ]"#.utf8),
      written: """
      {"id":1234567890123456789,"number":7,"title":"a\\/b\\u00e9 \\u0085\\u202E","state":"open",\
      "score":1.0,"ratio":1E-2,"zeta":{"b":null,"a":[1,{}]},"brand_new":"x\\ufffdy",\
      "body":"z\u{FFFD}\u{1F44D}","user":null,"repository":{"full_name":"x/y"},"labels":[]}
      """
    )

    /// Answers for a repository, with a list of its issues.
    static func handler(issues: Data) -> LoopbackServer.Handler {
      { request in
        if request.path == "/repos/a/b" { return .json(#"{"id":1,"full_name":"a/b"}"#) }
        return LoopbackResponse(body: issues)
      }
    }

    @Test("each item is one line, byte for byte as sent, except for escaped characters")
    func bytes() async throws {
      try await withLoopbackServer(answering: Self.handler(issues: Self.odd.sent)) { server in
        let whole = try await IssuesProgram.run(["a/b", "--json", "--api-url", server.url])
        #expect(whole.status == .exited(0), "\(whole.errorText)")
        #expect(whole.outputText == "[\n\(Self.odd.written)\n]\n")
        let some = try await IssuesProgram.run([
          "a/b", "--json=zeta,score,brand_new,type,ratio", "--api-url", server.url,
        ])
        #expect(
          some.outputText == """
            [
            {"zeta":{"b":null,"a":[1,{}]},"score":1.0,"brand_new":"x\\ufffdy","type":null,"ratio":1E-2}
            ]

            """)
      }
    }

    @Test("label_names has the names of the labels alone, in lists and of an issue")
    func labelNames() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        func run(_ arguments: [String]) async throws -> String {
          let result = try await IssuesProgram.run(arguments + ["--api-url", server.url])
          #expect(result.status == .exited(0), "\(result.errorText)")
          return result.outputText
        }
        for command in [["list", "swiftlang/swift"], ["ready", "swiftlang/swift"]] {
          let names = try await run(command + ["--json", "label_names", "-q", ".[].label_names"])
          let labels = try await run(
            command + ["--json", "labels", "-q", ".[] | [.labels[].name]"])
          #expect(names == labels && names.contains("\""), "\(names)")
        }
        let view = ["view", "swiftlang/swift", "3"]
        let some = try await run(view + ["--json", "label_names,number"])
        #expect(some.hasPrefix(#"{"label_names":["#), "\(some)")
        #expect(some.hasSuffix("],\"number\":3}\n"), "\(some)")
        // It is there only on request.
        #expect(try await !run(view + ["--json"]).contains("label_names"))
      }
    }

    @Test("a field that neither the API's description nor the response contains is refused")
    func unknown() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        for arguments in [
          ["swiftlang/swift"], ["view", "swiftlang/swift", "1"], ["user", "octocat"],
          ["search-repos", "swift"], ["swiftlang/swift", "--label", "nosuchlabel"],
        ] {
          let result = try await IssuesProgram.run(
            arguments + ["--json", "html_url,nope", "--api-url", server.url])
          result.expectFailure(64, saying: ["no field 'nope'", "html_url"])
          #expect(!result.outputText.contains("{"))
        }
      }
    }

    /// Something that was recorded, and the command that shows it.
    struct Recorded: Sendable, CustomTestStringConvertible {
      let file: String
      let name: String
      let path: String
      let body: String
      var testDescription: String { "\(file) \(name)" }

      /// The command, and the member around the items in what is printed.
      var command: (arguments: [String], isList: Bool, extra: Set<String>)? {
        let parts = path.split(separator: "?")[0].split(separator: "/").map(String.init)
        return switch parts.first {
        case "repositories" where parts.last == "issues", "repos" where parts.last == "issues":
          (["a/b", "--include-pull-requests", "--state", "all", "--all"], true, [])
        case "repos" where parts.last == "comments" && parts.count == 6:
          (["view", "a/b", "1", "--json", "comments_list"], true, [])
        case "repos" where parts.count == 5 && parts[3] == "issues":
          // From 'issue_field_values'.
          (["view", "a/b", parts[4]], false, ["fields"])
        case "search" where parts[1] == "issues":
          (["search", "--remote", "x", "-R", "a/b", "--all"], true, ["repository", "snippet"])
        case "search" where parts[1] == "repositories": (["search-repos", "x", "--all"], true, [])
        case "users" where parts.count == 2: (["user", "x"], false, [])
        case "users" where parts.last == "repos": (["repos", "x", "--all"], true, [])
        default: nil
        }
      }
    }

    static func recorded() throws -> [Recorded] {
      try RecordedExchanges.files().flatMap { file in
        try RecordedExchanges(file: file).exchanges.compactMap { exchange in
          guard exchange.method == "GET", exchange.status == 200 else { return nil }
          let path = RecordedExchanges.path(of: exchange).replacing(/^\/api\/v[13]/, with: "")
          let item = Recorded(file: file, name: exchange.name, path: path, body: exchange.body)
          return item.command == nil ? nil : item
        }
      }
    }

    /// A value in a form that can be compared.
    static func text(_ value: Any?) throws -> Data? {
      try value.map { try JSONSerialization.data(withJSONObject: [$0], options: .sortedKeys) }
    }

    @Test(
      "every recorded item keeps all its recorded keys and values",
      .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
    func keys() async throws {
      var items = 0
      for recorded in try Self.recorded() {
        let body = try JSONSerialization.jsonObject(with: Data(recorded.body.utf8))
        let list =
          (body as? [[String: Any]]) ?? (body as? [String: Any])?["items"] as? [[String: Any]]
        guard let expected = list ?? (body as? [String: Any]).map({ [$0] }),
          let command = recorded.command, !expected.isEmpty
        else { continue }
        let answer = LoopbackResponse.json(recorded.body)
        let output = try await withLoopbackServer { request in
          switch request.path {
          case "/repos/a/b": .json(#"{"id":1,"full_name":"a/b"}"#)
          case "/repos/a/b/issues/1" where command.arguments.contains("comments_list"):
            .json(#"{"id":1,"number":1,"title":"t","state":"open"}"#)
          default: answer
          }
        } perform: { server in
          let flags = command.arguments.contains("--json") ? [] : ["--json"]
          let result = try await IssuesProgram.run(
            command.arguments + flags + ["--api-url", server.url, "--no-cache"])
          #expect(result.status == .exited(0), "\(recorded): \(result.errorText)")
          return result.output
        }
        let printed = try JSONSerialization.jsonObject(with: output)
        let object = printed as? [String: Any]
        let several = printed as? [[String: Any]] ?? object?["comments_list"] as? [[String: Any]]
        let shown = several ?? object.map { [$0] } ?? []
        #expect(shown.count == expected.count, "\(recorded)")
        for (shown, expected) in zip(shown, expected) {
          items += 1
          #expect(
            Set(shown.keys).subtracting(command.extra)
              == Set(expected.keys).subtracting(command.extra))
          for (key, value) in expected where !command.extra.contains(key) {
            #expect(
              try Self.text(shown[key]) == Self.text(value), "\(recorded): \(key)")
          }
        }
      }
      #expect(items > 500)
    }
  }
}
