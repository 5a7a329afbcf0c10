import ConcurrencyPrimitives
import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("A server that isn't GitHub", .timeLimit(.minutes(5)))
  struct ForeignServerTests {
    /// A forge that ignores whatever it doesn't know, as its kind does.
    private struct Forge: Sendable, CustomTestStringConvertible {
      /// What the command says about it.
      var name: String
      var version: LoopbackResponse

      var testDescription: String { name }

      static func response(
        _ text: String, status: Int = 200, headers: LoopbackHeaders = [:]
      ) -> LoopbackResponse {
        .text(text, status: status, headers: headers, contentType: "application/json;charset=utf-8")
      }

      static let all = [
        Forge(
          name: "isn't GitHub, but seems to be Forgejo:",
          version: response(#"{"version": "11.0.1+gitea-1.22.0"}"#)),
        Forge(
          name: "isn't GitHub, but seems to be Gitea:", version: response(#"{"version": "1.23.4"}"#)
        ),
        Forge(
          name: "isn't GitHub, but seems to be GitLab:",
          version: response(
            #"{"message": "401 Unauthorized"}"#, status: 401, headers: ["X-Gitlab-Meta": "{}"])),
        Forge(name: "isn't GitHub:", version: response("404 page not found", status: 404)),
      ]

      private static let issue = """
        {"id": 7, "number": 1, "title": "The only one", "body": "", "state": "open", "labels": [],
         "user": {"id": 3, "login": "alice"}, "assignees": null, "comments": 0, "is_locked": false,
         "html_url": "https://forge.example/a/b/issues/1",
         "created_at": "2026-01-02T03:04:05+02:00", "updated_at": "2026-01-02T03:04:05+02:00"}
        """

      func handler(_ requests: Watched<[LoopbackRequest]>) -> LoopbackServer.Handler {
        { request in
          requests.update { $0.append(request) }
          return switch (request.method, request.path) {
          case (_, "/api/v3/version"): version
          case ("GET", "/api/v3/repos/a/b/issues"): Self.response("[\(Self.issue)]")
          case ("GET", "/api/v3/repos/a/b/issues/1"): Self.response(Self.issue)
          case ("GET", "/api/v3/repos/a/b"):
            Self.response(#"{"id": 5, "full_name": "a/b", "name": "b", "has_issues": true}"#)
          case ("GET", _): Self.response("[]")
          default: Self.response(Self.issue, status: 201)
          }
        }
      }
    }

    private static func run(
      _ words: [String], _ forge: Forge
    ) async throws -> (CommandRun.Result, [LoopbackRequest]) {
      let (requests, folder) = (Watched<[LoopbackRequest]>([]), try ScratchFolder())
      let result = try await withLoopbackServer(answering: forge.handler(requests)) { server in
        try await IssuesProgram.run(
          words + ["--api-url", "\(server.url)/api/v3"],
          environment: [
            "GH_ENTERPRISE_TOKEN": "secret", "XDG_DATA_HOME": folder.path,
            "XDG_STATE_HOME": folder.path,
          ])
      }
      return (result, requests.current)
    }

    @Test(
      "a filter, an order, or a search is refused instead of listing everything",
      arguments: Forge.all,
      [
        "list a/b --assignee bob", "list a/b --author carol", "list a/b --label nothing",
        "list a/b --milestone v1", "list a/b --type Bug", "list a/b --sort updated",
        "list a/b --since 2026-01-01", "mine", "inbox", "search crash --remote -R a/b",
        "label list -R a/b", "milestone list -R a/b", "sync a/b",
      ])
    private func reading(forge: Forge, command: String) async throws {
      let (result, _) = try await Self.run(command.split(separator: " ").map(String.init), forge)
      result.expectFailure(64, saying: [forge.name])
      #expect(result.output.isEmpty)
    }

    @Test(
      "a write is refused before it is sent, and its text is kept",
      arguments: Forge.all,
      [
        "create -R a/b -t Title -b Text --milestone v1", "create -R a/b -t Title -b Text",
        "edit a/b 1 --remove-label bug", "edit a/b 1 --title Title", "close a/b 1",
        "comment a/b 1 -b Text", "react a/b 1 heart", "lock a/b 1", "delete a/b 1 --yes",
        "label create bug -R a/b",
      ])
    private func writing(forge: Forge, command: String) async throws {
      let (result, requests) = try await Self.run(
        command.split(separator: " ").map(String.init), forge)
      result.expectFailure(64, saying: [forge.name])
      #expect(requests.allSatisfy { $0.method == "GET" })
      #expect(
        requests.filter { $0.path == "/api/v3/version" }
          .allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test("a list without filters and an issue can be read", arguments: Forge.all)
    private func plain(forge: Forge) async throws {
      let (list, requests) = try await Self.run(["list", "a/b"], forge)
      #expect(list.lines.count == 1, "\(list.errorText)")
      #expect(!requests.contains { $0.path == "/api/v3/version" })
      let (view, _) = try await Self.run(["view", "a/b", "1"], forge)
      #expect(view.outputText.contains("The only one"), "\(view.errorText)")
    }
  }
}
