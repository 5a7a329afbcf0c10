import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("Browser", .timeLimit(.minutes(5)))
struct BrowserTests {
  private let url = "https://github.com/apple/swift/issues/1"

  @Test("BROWSER, with its arguments, comes before the desktop's own browser")
  func commands() {
    let desktop = [["xdg-open"], ["open"]]
    for display in ["DISPLAY", "WAYLAND_DISPLAY"] {
      #expect(
        Browser(environment: ["BROWSER": "firefox  --new-tab", display: "x"]).commands
          == [["firefox", "--new-tab"]] + desktop)
      #expect(Browser(environment: ["BROWSER": "", display: "x"]).commands == desktop)
    }
  }

  @Test(
    "GH_BROWSER comes before BROWSER, and both may list several browsers",
    arguments: [
      (["GH_BROWSER": "lynx", "BROWSER": "w3m"], [["lynx"]]),
      (["GH_BROWSER": "", "BROWSER": "w3m"], [["w3m"]]),
      (
        ["BROWSER": "firefox --new-tab:w3m: :/usr/bin/lynx"],
        [["firefox", "--new-tab"], ["w3m"], ["/usr/bin/lynx"]]
      ),
    ])
  func several(environment: [String: String], expected: [[String]]) {
    #expect(Browser(environment: environment, defaults: []).commands == expected)
  }

  @Test("the first existing browser opens the page, with the address in place of %s")
  func placeholder() async throws {
    let recorder = try Recorder()
    let command = recorder.command.joined(separator: " ")
    let browser = Browser(
      environment: [
        "BROWSER": "no-such-browser %s:\(command) --url=%s,new --done:false",
        "PATH": "/usr/bin:/bin",
      ], defaults: [])
    try await browser.open(url, of: .github)
    #expect(try recorder.arguments() == ["--url=\(url),new", "--done"])
  }

  #if !os(macOS)
    @Test("without a display, desktop browsers aren't tried")
    func noDisplay() {
      #expect(Browser(environment: [:]).commands == [])
      #expect(Browser(environment: ["BROWSER": " ", "DISPLAY": ""]).commands == [])
      #expect(Browser(environment: ["BROWSER": "w3m"]).commands == [["w3m"]])
    }
  #endif

  @Test("the address is the browser's last argument, and no shell sees it")
  func opens() async throws {
    let recorder = try Recorder()
    let address = "https://github.com/?q=$(id)&x=';#top"
    try await recorder.browser(arguments: "--new-tab").open(address, of: .github)
    #expect(try recorder.arguments() == ["--new-tab", address])
  }

  @Test("the next browser is tried after one that fails")
  func fallsBack() async throws {
    let recorder = try Recorder()
    let environment = ["BROWSER": "false", "PATH": "/usr/bin:/bin", "DISPLAY": ":0"]
    let browser = Browser(
      environment: environment, defaults: [["no-such-browser"], recorder.command])
    try await browser.open(url, of: .github)
    #expect(try recorder.arguments() == [url])
  }

  @Test("without a working browser, the error has the address to open by hand")
  func none() async {
    let browser = Browser(
      environment: ["BROWSER": "no-such-browser", "PATH": "/usr/bin:/bin", "DISPLAY": ":0"],
      defaults: [["false"]])
    let failure = await #expect(throws: Browser.Failure.self) {
      try await browser.open(url, of: .github)
    }
    #expect(failure == .noBrowser(url: url))
    #expect(failure?.description.contains(url) == true)
  }

  @Test("a browser's bare name is searched for in absolute folders only", arguments: [true, false])
  func relativeFolder(isOwn: Bool) async throws {
    let recorder = try Recorder()
    try recorder.makeExecutable()
    // From wherever the test runs, up to the root and down again.
    let up = String(repeating: "../", count: 64)
    let folder = recorder.folder.dropFirst()
    for (path, isFound) in [("\(up)\(folder)", false), (recorder.folder, true)] {
      var environment = ["PATH": path, "DISPLAY": ":0"]
      environment["BROWSER"] = isOwn ? "browser" : nil
      let browser = Browser(environment: environment, defaults: isOwn ? [] : [["browser"]])
      if isFound {
        try await browser.open(url, of: .github)
      } else {
        await #expect(throws: Browser.Failure.noBrowser(url: url)) {
          try await browser.open(url, of: .github)
        }
      }
      #expect(FileManager.default.fileExists(atPath: recorder.output) == isFound)
    }
  }

  @Test(
    "only pages of the selected server are opened",
    arguments: [
      "file:///etc/passwd", "javascript:alert(1)", "-version", "", "https://", "https:/x",
      "ssh://x",
      "https://a b", "https://a\nb", "https://a\u{202E}b", "ftp://x", " https://github.com/",
      "http://github.com/a/b", "https://github.com", "https://github.com.evil.example/a",
      "https://github.com@evil.example/a", "https://evil.example/https://github.com/",
      "https://github.com:8443/a", "https://api.github.com/a", "https://github.com/a b",
      "https://github.com/\u{1B}[2J", "https://github.com/é", "https://github.com/a\n",
      "http://127.0.0.1/a",
    ])
  func refused(address: String) async throws {
    let recorder = try Recorder()
    await #expect(throws: Browser.Failure.notItsPage(address, host: "github.com")) {
      try await recorder.browser().open(address, of: .github)
    }
    #expect(!FileManager.default.fileExists(atPath: recorder.output))
  }

  @Test(
    "pages of other hosts open on their own servers, over http on loopback only",
    arguments: [
      ("https://ghe.example.com/api/v3", "https://ghe.example.com/a/b/issues"),
      ("https://ghe.example.com:8443/api/v3", "https://ghe.example.com:8443/a/b"),
      ("http://127.0.0.1:8080", "http://127.0.0.1:8080/a/b/issues?q=x#1"),
    ])
  func servers(api: String, address: String) throws {
    #expect(try Browser.isPage(address, of: GitHubServer(apiURL: api)))
    #expect(!Browser.isPage(address, of: .github))
  }
}

/// A browser that records the addresses to open.
private struct Recorder {
  private let directory: ScratchFolder
  let output: String
  let command: [String]

  var folder: String { directory.path }

  init() throws {
    directory = try ScratchFolder()
    output = directory.path + "/arguments"
    let script = directory.path + "/browser"
    let text = "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"${0%/*}/arguments\"\n"
    try Data(text.utf8).write(to: URL(filePath: script))
    command = ["sh", script]
  }

  func makeExecutable() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: "\(folder)/browser")
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
