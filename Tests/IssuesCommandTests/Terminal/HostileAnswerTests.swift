import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Hostile text in responses", .timeLimit(.minutes(5)))
  struct HostileAnswerTests {
    private static let texts =
      HostileText.samples + HostileText.examples.map(\.text)

    private static func encoded(_ text: String) throws -> String {
      String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    /// A server all of whose texts are hostile.
    private static var handler: LoopbackServer.Handler {
      get throws {
        let values = try texts.map(encoded)
        let issues = values.enumerated().map { index, value in
          """
          {"id":\(index),"number":\(index + 1),"state":"open","title":\(value),"body":\(value),\
          "labels":[{"name":\(value),"color":"ff0000"},\(value)],"user":{"id":1,"login":\(value)},\
          "html_url":\(value),"state_reason":\(value),"updated_at":"2026-01-31T00:00:00Z"}
          """
        }
        let repositories = values.map { value in
          """
          {"id":1,"name":\(value),"full_name":\(value),"description":\(value),"language":\(value)}
          """
        }
        let user = """
          {"id":1,"login":"octocat","name":\(values[0]),"type":\(values[1]),"bio":\(values[2]),\
          "company":\(values[3]),"location":\(values[4]),"blog":\(values[5]),\
          "email":\(values[6]),"html_url":\(values[7])}
          """
        var routes = RouteTable()
        routes.on("/repos/a/b", .json(#"{"id":1,"full_name":"a/b"}"#))
        routes.on("/repos/a/b/issues", .json("[\(issues.joined(separator: ","))]"))
        routes.on(
          "/repos/a/b/issues/1",
          .json(
            #"{"comments":\#(values.count),"assignees":[{"id":1,"login":\#(values[0])}],"#
              + #""milestone":{"title":\#(values[1])},"# + issues[0].dropFirst().dropLast()
              + #","body":\#(try encoded(texts.joined(separator: "\n\n")))}"#))
        let comments = values.enumerated().map { index, value in
          """
          {"id":\(index),"body":\(value),"author_association":\(value),\
          "user":{"id":1,"login":\(value)},"html_url":\(value)}
          """
        }
        routes.on("/repos/a/b/issues/1/comments", .json("[\(comments.joined(separator: ","))]"))
        routes.on("/users/octocat/repos", .json("[\(repositories.joined(separator: ","))]"))
        routes.on("/users/octocat", .json(user))
        let found = repositories.enumerated().map {
          #"{"id":\#($0.offset + 10),\#($0.element.dropFirst(#"{"id":1,"#.count))"#
        }
        routes.on(
          "/search/repositories",
          .json(
            #"{"total_count":\#(found.count),"items":[\#(found.joined(separator: ","))]}"#))
        return routes.handler
      }
    }

    private static let commands = [
      ["a/b", "--all"], ["user", "octocat"], ["repos", "octocat", "--all"],
      ["search-repos", "x\u{1B}[2J", "--all"], ["view", "a/b", "1", "--comments"],
    ]

    /// The scalars that mustn't be there, beyond line ends, tabs and the command's own styles.
    private static func dangers(in text: String) -> [Unicode.Scalar] {
      // By scalars: an `m` and a combining mark after it are one character.
      let own = /\u{1B}\[[0-9;]*m|\r\u{1B}\[K/.matchingSemantics(.unicodeScalar)
      return HostileText.dangers(in: text.replacing(own, with: "")).filter {
        !["\n", "\t", "\r"].contains($0)
      }
    }

    @Test(
      "a pipe gets line breaks and tabs of hostile text, and no other control character",
      arguments: commands)
    func pipe(arguments: [String]) async throws {
      try await withLoopbackServer(answering: try Self.handler) { server in
        for flags in [[], ["-v"], ["-vv"], ["--color", "always"]] {
          let result = try await IssuesProgram.run(arguments + flags + ["--api-url", server.url])
          #expect(result.status == .exited(0))
          #expect(Self.dangers(in: result.outputText).isEmpty)
          #expect(Self.dangers(in: result.errorText).isEmpty)
          #expect(!result.outputText.contains("\r"))
          if arguments[0] == "a/b" {
            #expect(result.lines.count == Self.texts.count)
            // A title of nothing but invisible characters is an empty cell.
            #expect(
              result.lines.allSatisfy {
                $0.split(separator: "\t", omittingEmptySubsequences: false).count == 5
              })
          }
        }
      }
    }

    @Test(
      "a terminal gets no control sequences but the command's own styles", arguments: commands
    )
    func terminal(arguments: [String]) async throws {
      try await withLoopbackServer(answering: try Self.handler) { server in
        for columns in [200, 80, 30] {
          let result = try await IssuesProgram.run(
            arguments + ["--api-url", server.url], environment: ["COLORTERM": "truecolor"],
            connection: .terminal(columns: columns, rows: 30))
          #expect(result.status == .exited(0))
          #expect(Self.dangers(in: result.outputText).isEmpty)
        }
      }
    }

    @Test("a hyperlink's address is a web address in printable ASCII, and ends at its own end")
    func hyperlinks() async throws {
      let links = Self.texts.flatMap { text in
        [
          "[one](https://example.com/\(text))", "[two](<https://example.com/\(text)>)",
          "<https://example.com/\(text)>", "https://example.com/\(text)", "[three](\(text))",
          "![four](\(text) \"\(text)\")", "[five]: https://example.com/\(text)\n[five]", "@\(text)",
        ]
      }
      let body = try Self.encoded(
        "[good](https://example.com/good)\n\n\(links.joined(separator: "\n\n"))")
      try await withLoopbackServer { _ in
        .json(#"{"id":1,"number":1,"title":"t","state":"open","body":\#(body)}"#)
      } perform: { server in
        let result = try await IssuesProgram.run(
          ["view", "a/b", "1", "--api-url", server.url], environment: ["FORCE_HYPERLINK": "1"],
          connection: .terminal(columns: 80, rows: 30))
        #expect(result.status == .exited(0))
        let link = /\u{1B}\]8;;([\x21-\x7E]*)\u{1B}\\/.matchingSemantics(.unicodeScalar)
        let targets = result.outputText.matches(of: link).map { String($0.output.1) }
        #expect(targets.contains("https://example.com/good"))
        #expect(targets.allSatisfy { $0.isEmpty || $0.hasPrefix("http") })
        // Every link that begins ends, before another begins.
        let isEnd = targets.map(\.isEmpty)
        #expect(zip(isEnd, isEnd.indices).allSatisfy { $0 == !$1.isMultiple(of: 2) })
        #expect(isEnd.count.isMultiple(of: 2))
        #expect(Self.dangers(in: result.outputText.replacing(link, with: "")).isEmpty)
      }
    }

    @Test("JSON has every character of hostile text, escaped if needed")
    func json() async throws {
      struct Item: Decodable {
        struct Label: Decodable {
          var name: String

          // The value is passed on as it came: a label may be a string.
          init(from decoder: any Decoder) throws {
            if let name = try? decoder.singleValueContainer().decode(String.self) {
              self.name = name
            } else {
              name = try decoder.container(keyedBy: CodingKeys.self)
                .decode(String.self, forKey: .name)
            }
          }

          private enum CodingKeys: String, CodingKey { case name }
        }
        struct User: Decodable {
          var login: String
        }
        var title: String
        var body: String
        var labels: [Label]
        var user: User
      }
      try await withLoopbackServer(answering: try Self.handler) { server in
        let result = try await IssuesProgram.run(
          ["a/b", "--all", "--json", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(Self.dangers(in: result.outputText).isEmpty)
        #expect(!result.outputText.contains("\u{1B}"))
        let items = try JSONDecoder().decode([Item].self, from: result.output)
        // Compared as scalars: canonically equal strings are equal in Swift.
        let scalars = Self.texts.map { Array($0.unicodeScalars) }
        #expect(items.map { Array($0.title.unicodeScalars) } == scalars)
        #expect(items.map { Array($0.body.unicodeScalars) } == scalars)
        #expect(items.map { Array($0.labels[0].name.unicodeScalars) } == scalars)
        #expect(items.map { Array($0.user.login.unicodeScalars) } == scalars)
      }
    }

    @Test("an error message is neutralized and limited in length", arguments: [404, 422, 500, 403])
    func error(status: Int) async throws {
      let message = try JSONEncoder().encode(
        Self.texts.joined(separator: " ") + String(repeating: "x", count: 100_000))
      let body = #"{"message":\#(String(decoding: message, as: UTF8.self))}"#
      try await withLoopbackServer { _ in
        .json(body, status: status, headers: ["X-Evil": "\u{9B}31m"])
      } perform: { server in
        for flags in [[], ["-vv"]] {
          let result = try await IssuesProgram.run(
            ["a/b", "--api-url", server.url, "--retries", "0"] + flags)
          #expect(Self.dangers(in: result.errorText).isEmpty)
          #expect(result.errorText.utf8.count < 4000)
          if flags.isEmpty {
            #expect((1...2).contains(result.errorLines.count))
            #expect(result.errorText.contains("window title"))
          }
        }
      }
    }

    @Test("an invalid name in a response isn't requested")
    func name() async throws {
      let long = String(repeating: "x", count: 100_000)
      try await withLoopbackServer { _ in
        .json(#"{"id":1,"full_name":"../..\u001b[2J/x?y\nissues: log in again\#(long)"}"#)
      } perform: { server in
        let result = try await IssuesProgram.run(["a/b", "--api-url", server.url])
        result.expectFailure(7, saying: ["the server's name for a/b is invalid"])
        #expect(result.errorText.count < 300)
        #expect(Set(server.log.requests.map(\.path)) == ["/repos/a/b", "/repos/a/b/issues"])
      }
    }

    @Test("invalid UTF-8 becomes replacement characters")
    func invalidText() async throws {
      let github =
        Data(#"[{"id":1,"number":1,"state":"open","title":"a"#.utf8)
        + Data([0xFF, 0xC3]) + Data(#"b\ud800c"}]"#.utf8)
      try await withLoopbackServer { request in
        request.path.hasSuffix("/issues")
          ? LoopbackResponse(headers: ["Content-Type": "application/json"], body: github)
          : .json(#"{"id":1,"full_name":"a/b"}"#)
      } perform: { server in
        let result = try await IssuesProgram.run(["a/b", "--api-url", server.url])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.hasPrefix("1\tOPEN\ta\u{FFFD}"))
        #expect(result.outputText.contains("b\u{FFFD}c"))
      }
    }
  }
}
