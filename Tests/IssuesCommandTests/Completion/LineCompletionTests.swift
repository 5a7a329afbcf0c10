import Testing

@testable import IssuesCommand

@Suite("Completion of a command line")
struct LineCompletionTests {
  private func offered(_ line: String) async -> [String] {
    await LineCompletion(ShellLine(line)).candidates.map { String($0.prefix { $0 != "\t" }) }
  }

  @Test(
    "subcommands are completed, even after 'help'",
    arguments: [
      ("issues se", ["search", "search-repos"]), ("issues cache in", ["info"]),
      ("issues -R a/b vi", ["view"]), ("issues hel", ["help"]), ("issues help vi", ["view"]),
      ("issues help mirror rem", ["remove"]), ("issues help list ", []),
      ("issues help cache ", ["info", "clear"]), ("issues help --a", ["--all"]),
    ])
  func subcommands(line: String, expected: [String]) async {
    #expect(await offered(line) == expected)
  }

  @Test(
    "options are completed unless already given, and list options don't need 'list'",
    arguments: [
      ("issues --sta", ["--state"]), ("issues --vers", ["--version"]),
      ("issues apple/swift --so", ["--sort"]), ("issues list --sort=created --so", []),
      ("issues -lbug --lab", ["--label"]), ("issues view a/b --comm", ["--comments"]),
      ("issues -R a/b view --comm", ["--comments"]), ("issues outbox --al", ["--all"]),
      ("issues search 'error: x' --rem", ["--remote"]), ("issues list -- --so", []),
      ("issues create -t --labels --lab", ["--label"]), ("issues complete --backg", []),
      ("issues cache --he", ["--help"]),
    ])
  func options(line: String, expected: [String]) async {
    #expect(await offered(line) == expected)
  }

  @Test(
    "option values are completed, even if joined with the option",
    arguments: [
      ("issues --state ", ["open", "closed", "all"]), ("issues --state=c", ["--state=closed"]),
      ("issues -sc", ["-sclosed"]), ("issues a/b --sort c", ["created", "comments"]),
      ("issues view --color=al", ["--color=always"]), ("issues close 1 -r n", ["not-planned"]),
      ("issues --json=numb", ["--json=number"]), ("issues --json number,tit", ["number,title"]),
      ("issues view 1 --json comments_l", ["comments_list"]),
      ("issues stats --json wee", ["weeks"]), ("issues cache info --json ent", ["entries"]),
      ("issues edit -F ", [":files"]), ("issues edit --body-file=a", [":files"]),
      ("issues edit -t ", []), ("issues list --all=", []),
    ])
  func values(line: String, expected: [String]) async {
    #expect(await offered(line) == expected)
  }

  @Test("subcommands and options have descriptions")
  func descriptions() async {
    #expect(
      await LineCompletion(ShellLine("issues help mirror rem")).candidates
        == ["remove\tRemove repositories from the mirror, and names from its list."])
    #expect(
      await LineCompletion(ShellLine("issues --versi")).candidates == [
        "--version\tShow the version."
      ]
    )
  }
}
