import ArgumentParser
import IssueTracker
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("The command line of a list, read without the parser")
struct ListRequestTests {
  /// What the parser makes of a line; nil where it refuses it.
  private func parsed(_ arguments: [String]) async -> ListRequest? {
    try? await ListCommand.asyncParse(arguments).request()
  }

  @Test("every combination of the options that are read says what it says to the parser")
  func combinations() async throws {
    let options = [
      ["swiftlang/swift"], ["--limit", "5"], ["-s", "closed"], ["--api-url", "http://127.0.0.1:1"],
      ["--no-cache"], ["--stub"], ["--include-pull-requests"],
    ]
    for chosen in 0..<(1 << options.count) {
      let parts = options.indices.filter { chosen & 1 << $0 != 0 }.map { options[$0] }
      let line = parts.flatMap { $0 }
      let request = try #require(ListRequest(reading: line), "\(line)")
      let expected = await parsed(line)
      #expect(request == expected, "\(line)")
      #expect(ListRequest(reading: parts.reversed().flatMap { $0 }) == expected, "\(line)")
    }
  }

  @Test(
    "what is written otherwise, or is wrong, is left to the parser",
    arguments: [
      "--help", "-h", "--version", "--limit", "--limit 0", "--limit five", "--limit=5", "--lim 5",
      "-L5",
      "-L 5 --limit 6", "--stub --stub", "--state", "--state opened", "-s --stub", "--api-url",
      "--api-url -x",
      "--all", "--web", "--json", "--json number", "--label bug", "-v", "-- a/b", "a/b c/d",
      "a/b a/b", "--wait 0",
    ])
  func leftToTheParser(line: String) {
    #expect(ListRequest(reading: line.split(separator: " ").map(String.init)) == nil)
  }

  @Test("an empty argument is left to the parser", arguments: [[""], ["--api-url", ""]])
  func empty(line: [String]) {
    #expect(ListRequest(reading: line) == nil)
  }

  @Test("no line is read that the parser refuses, or reads otherwise")
  func anyLine() async {
    let words = [
      "a/b", "https://github.com/a/b", "list", "", "-", "--", "--limit", "-L", "5", "0", "-1",
      "--limit=5",
      "--state", "-s", "all", "closed", "open", "none", "--api-url", "http://[::1]:8", "--no-cache",
      "--stub",
      "--include-pull-requests", "--json", "--stub-delay", "1s", "--offline", "-v", "-h", "--web",
    ]
    var random = FuzzSource(seed: 7)
    var count = 0
    for _ in 0..<2_000 {
      let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }
      guard let request = ListRequest(reading: line) else { continue }
      count += 1
      let expected = await parsed(line)
      #expect(request == expected, "\(line)")
    }
    #expect(count > 100)
  }
}
