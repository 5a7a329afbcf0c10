import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  /// The rows of `Documentation/habits.md`, as they stand there.
  @Suite("The habits page for gh and hub users", .timeLimit(.minutes(5)))
  struct HabitTests {
    /// A row of the table: what is typed here, and what comes of it.
    struct Habit: Sendable, CustomTestStringConvertible {
      let command: String
      let expectations: [(verb: String, text: String)]

      var testDescription: String { command }
    }

    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Documentation/habits.md")

    /// The rows; none where the page can't be read.
    static let habits: [Habit] = {
      let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
        let cells = row.split(separator: "|").map { $0.trimmingPrefix(" ") }
        guard cells.count == 3 else { return Habit(command: String(row), expectations: []) }
        let command = cells[1].split(separator: "`").first.map(String.init) ?? ""
        return Habit(
          command: command,
          expectations: cells[2].matches(of: /(asks|prints|says|exits) `([^`]+)`/).map {
            (String($0.output.1), String($0.output.2))
          })
      }
    }()

    @Test("each row of the habits page has a command and expectations")
    func rows() {
      #expect(Self.habits.count >= 40)
      for habit in Self.habits {
        #expect(!habit.expectations.isEmpty, "\(habit)")
        #expect(habit.command.contains("issues"), "\(habit)")
      }
    }

    @Test("each command on the habits page has the stated outcome", arguments: habits)
    func habit(habit: Habit) async throws {
      let folder = try ScratchFolder()
      var configuration = LoopbackGitHub.Configuration()
      configuration.anyRepository = SyntheticIssues(count: 60)
      try await withLoopbackServer(answering: LoopbackGitHub(configuration).handler) { server in
        // The server that is asked is the test's; what asks none takes no address of one.
        let script = """
          set -e
          git init -q && git remote add origin https://github.com/swiftlang/swift
          mkdir bin
          cat > bin/issues <<'END'
          #!/bin/sh
          case " $* " in
          *" help "* | *" open"* | *" --version "*) exec "$program" "$@" ;;
          *) exec "$program" "$@" --api-url "$server" ;;
          esac
          END
          chmod +x bin/issues
          """
        var environment = IssuesProgram.environment([
          "program": try BuiltProducts.path(of: "issues"), "server": server.url,
          "PATH": "\(folder.path)/bin:/usr/bin:/bin",
        ])
        environment["GH_ENTERPRISE_TOKEN"] = IssuesProgram.token
        let setup = try await CommandRun.run(
          "/bin/sh", ["-c", script], environment: environment, workingDirectory: folder.path)
        #expect(setup.status == .exited(0), "\(setup.errorText)")
        let result = try await CommandRun.run(
          "/bin/sh", ["-c", habit.command], environment: environment, workingDirectory: folder.path)
        let exits = habit.expectations.first { $0.verb == "exits" }.flatMap { Int32($0.text) } ?? 0
        #expect(result.status == .exited(exits), "\(result.errorText)")
        let targets = server.log.requests.map {
          $0.target.replacing("%3A", with: ":").replacing("%2C", with: ",")
        }
        for (verb, text) in habit.expectations {
          switch verb {
          case "asks": #expect(targets.contains { $0.contains(text) }, "\(targets)")
          case "prints": #expect(result.outputText.contains(text), "\(result.outputText)")
          case "says": #expect(result.errorText.contains(text), "\(result.errorText)")
          default: break
          }
        }
      }
    }
  }
}
