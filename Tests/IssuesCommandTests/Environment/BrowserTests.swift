import TestSupport
import Testing

@testable import IssuesCommand

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Browser", .timeLimit(.minutes(5)))
struct BrowserTests {
  private let url = "https://github.com/apple/swift/issues/1"

  @Test("BROWSER comes first, with its arguments, and the desktop's own after it")
  func commands() {
    #expect(
      Browser(environment: ["BROWSER": "firefox  --new-tab"]).commands
        == [["firefox", "--new-tab"], ["xdg-open"], ["open"]])
    #expect(Browser(environment: ["BROWSER": ""]).commands == [["xdg-open"], ["open"]])
    #expect(Browser(environment: [:]).commands == [["xdg-open"], ["open"]])
  }

  @Test("the address is the last argument, and no shell sees it")
  func opens() async throws {
    let recorder = try Recorder()
    let address = "https://example.com/?q=$(id)&x=';#top"
    try await recorder.browser(arguments: "--new-tab").open(address)
    #expect(try recorder.arguments() == ["--new-tab", address])
  }

  @Test("a browser that fails gives way to the next")
  func fallsBack() async throws {
    let recorder = try Recorder()
    let environment = ["BROWSER": "false", "PATH": "/usr/bin:/bin"]
    let browser = Browser(
      environment: environment, defaults: [["no-such-browser"], recorder.command])
    try await browser.open(url)
    #expect(try recorder.arguments() == [url])
  }

  @Test("where none works, the error has the address to open by hand")
  func none() async {
    let browser = Browser(environment: ["BROWSER": "no-such-browser"], defaults: [["false"]])
    let failure = await #expect(throws: Browser.Failure.self) { try await browser.open(url) }
    #expect(failure == .noBrowser(url: url))
    #expect(failure?.description.contains(url) == true)
  }

  @Test(
    "only pages of the web are opened",
    arguments: [
      "file:///etc/passwd", "javascript:alert(1)", "-version", "", "https://", "https:/x",
      "ssh://x",
      "https://a b", "https://a\nb", "https://a\u{202E}b", "ftp://x", " https://x",
    ])
  func refused(address: String) async throws {
    let recorder = try Recorder()
    await #expect(throws: Browser.Failure.notAWebAddress(address)) {
      try await recorder.browser().open(address)
    }
    #expect(!FileManager.default.fileExists(atPath: recorder.output))
  }

  @Test("http and capitals will do", arguments: ["http://localhost/x", "HTTPS://github.com"])
  func allowed(address: String) {
    #expect(Browser.isWebAddress(address))
  }
}

/// A browser that writes down what it was asked to open.
private struct Recorder {
  private let directory: ScratchFolder
  let output: String
  let command: [String]

  init() throws {
    directory = try ScratchFolder()
    output = directory.path + "/arguments"
    let script = directory.path + "/browser"
    try Data(#"printf '%s\n' "$@" > "${0%/*}/arguments""#.utf8)
      .write(to: URL(filePath: script))
    command = ["sh", script]
  }

  func browser(arguments: String = "") -> Browser {
    Browser(
      environment: [
        "BROWSER": "\(command.joined(separator: " ")) \(arguments)", "PATH": "/usr/bin:/bin",
      ],
      defaults: [])
  }

  func arguments() throws -> [String] {
    String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }
}
