import HTTPTargets
import Testing

@Suite("AccessToken")
struct AccessTokenTests {
  @Test(
    "one line break at the end is removed",
    arguments: ["ghp_hunter2", "ghp_hunter2\n", "ghp_hunter2\r\n"])
  func lineBreak(text: String) throws {
    #expect(try AccessToken(text).secret == "ghp_hunter2")
  }

  @Test(
    "text with any other invalid character is refused, and the error doesn't contain it",
    arguments: [
      "", "\n", "\r\n", "hunter2\n\n", "hunter2\r", "hunter2\r\n\n", "hunter2\n\r\n", "\nhunter2",
      "hunter2 ", " hunter2", "hun ter2", "hun\nter2", "hun\r\nter2", "hunter2\t", "hunter2\0",
      "hunter2\u{7F}", "hunter2\u{B}", "hunter2\u{C}", "hunter2\u{85}", "hunter2\u{2028}",
      "hünter2",
      "hunter2\u{200B}", "\u{FEFF}hunter2", "hunter2\u{1B}[0m",
    ])
  func refused(text: String) throws {
    let error = try #require(#expect(throws: NetworkError.self) { try AccessToken(text) })
    #expect(error.code == .requestMapping)
    #expect(!shown(error).contains("unter2"))
    #expect(error.message.contains("token"))
  }

  @Test("a token's description doesn't reveal it")
  func neverShown() throws {
    struct Holder { var token: AccessToken? }
    let token = try AccessToken("hunter2")
    for text in [
      shown(token), shown(Holder(token: token)), shown([token: token]), shown((token, 1)),
      shown(token as Any), shown(Result<AccessToken, NetworkError>.success(token)),
    ] {
      #expect(!text.contains("hunter2"))
      #expect(text.contains("[redacted]"))
    }
    #expect(Mirror(reflecting: token).children.isEmpty)
    #expect(Mirror(reflecting: token).descendant("secret") == nil)
  }

  @Test("tokens with equal secrets are equal")
  func equality() throws {
    #expect(try AccessToken("a") == AccessToken("a\n"))
    #expect(try AccessToken("a") != AccessToken("A"))
  }
}
