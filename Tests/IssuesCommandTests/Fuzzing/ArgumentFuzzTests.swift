import IssueTracker
import StyledText
import TestSupport
import TestTraits
import Testing

@testable import IssuesCommand

@Suite("Fuzzed arguments", .tags(.heavy), .timeLimit(.minutes(10)))
struct ArgumentFuzzTests {
  @Test("an accepted duration is at most one day")
  func durations() {
    let failure = FuzzTest("durations", iterations: 300).run { source in
      let text = source.mutation(
        of: ["300ms", "1.5s", "2m", "10"],
        words: ["ms", "s", "m", "inf", "nan", "0x1p3", "e9", "-"],
        upTo: 100)
      guard let argument = DurationArgument(text) else { return }
      try check(
        (.zero ... .seconds(86_400)).contains(argument.duration), text.debugDescription)
    }
    #expect(failure == nil)
  }

  @Test("an accepted color has six hexadecimal digits and is legible")
  func colors() {
    let failure = FuzzTest("colors", iterations: 300).run { source in
      let text = source.mutation(
        of: ["d73a4a", "#00ff00", "000000"], words: ["#", "ａ", "F"], upTo: 20)
      guard let color = Color(hexadecimal: text) else { return }
      let digits = text.utf8.drop { $0 == UInt8(ascii: "#") }
      try check(digits.count == 6 && digits.allSatisfy { $0 < 0x80 }, text.debugDescription)
      try check(color.legible.luma >= min(color.luma, 99), text.debugDescription)
      try check((16...255).contains(color.paletteIndex), text.debugDescription)
    }
    #expect(failure == nil)
  }

  @Test("only the server's own pages with printable ASCII addresses open in a browser")
  func addresses() {
    let failure = FuzzTest("addresses", iterations: 300).run { source in
      let text = source.mutation(
        of: [
          "https://github.com/a/b", "https://github.com/x#y?z", "http://x", "file:///etc/passwd",
        ],
        words: ["-", "https://", "github.com", "javascript:", " ", "\n", "@", "/"], upTo: 200)
      guard Browser.isPage(text, of: .github) else { return }
      try check(text.hasPrefix("https://github.com/"), text.debugDescription)
      try check(text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, text.debugDescription)
    }
    #expect(failure == nil)
  }

  @Test("random output of git gives an address from that output or a failure")
  func remotes() {
    let good = [
      "remote.origin.url\nhttps://github.com/a/b\0remote.upstream.url\ngit@github.com:c/d.git\0",
      "remote.x.url\n/local\0remote.y.url\nb\0", "remote.a.b.url\n\nx\0",
    ]
    let failure = FuzzTest("remotes", iterations: 300).run { source in
      let text = source.mutation(
        of: good, words: ["\0", "\n", "remote.", ".url", "origin", "upstream"], upTo: 2_000)
      let urls: [String]
      do throws(GitRemotes.Failure) {
        urls = try GitRemotes.remotes(in: text).map(\.url)
      } catch {
        let dangers = HostileText.dangers(in: "\(error)")
        return try check(dangers.isEmpty, text.debugDescription)
      }
      try check(!urls.isEmpty, text.debugDescription)
      for url in urls {
        try check(!url.isEmpty && text.utf8.firstRange(of: url.utf8) != nil, text.debugDescription)
        _ = try? RepositoryReference(remoteURL: url)
      }
    }
    #expect(failure == nil)
  }

  @Test("random output of gh is accepted as a token or refused without being shown")
  func tokens() async throws {
    let failure = FuzzTest("tokens of gh", iterations: 500).run { source in
      let bytes = source.mutation(of: [Array("gho_0123456789\n".utf8)], upTo: 70_000)
      guard let token = try? AccessToken(String(decoding: bytes, as: UTF8.self)) else { return }
      try check(token.secret.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(bytes)")
      try check(
        Array(token.secret.utf8) == Array(bytes.prefix(token.secret.utf8.count)), "\(bytes)")
    }
    #expect(failure == nil)
  }
}
