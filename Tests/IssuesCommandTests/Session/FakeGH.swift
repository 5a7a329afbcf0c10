import TestSupport

@testable import IssuesCommand

/// A program called `gh`, in a folder of its own that comes first on `PATH`.
struct FakeGH: Sendable {
  /// A token that must never be seen.
  static let token = "gho_FaKeFaKeFaKeFaKe0123456789abcdef"

  private let program: FakeProgram

  /// Makes one out of a script for the shell, in which `$here` is its folder.
  init(_ script: String) async throws {
    program = try await FakeProgram("gh", script)
  }

  /// One that prints a text, by default with a line feed.
  init(printing text: String, terminator: String = #"\n"#) async throws {
    try await self.init(#"printf '%s' '\#(text)'; printf '\#(terminator)'"#)
  }

  /// An environment in which it is found.
  var environment: [String: String] { program.environment }

  /// The path of a file in its folder.
  func path(_ name: String) -> String { program.path(name) }

  /// The contents of a file in its folder; nil if there is none.
  func contents(of name: String) -> String? {
    program.contents(of: name)
  }
}
