import Testing

@testable import HTTPTargets

@Suite("TokenSuccession")
struct TokenSuccessionTests {
  @Test("every replaced token leads to its latest successor")
  func chains() throws {
    let tokens = try (0..<4).map { try AccessToken("t\($0)") }
    let stranger = try AccessToken("stranger")
    var succession = TokenSuccession()
    #expect(succession.successor(of: tokens[0]) == nil)
    succession.replace(nil, by: tokens[0])
    for (old, new) in zip(tokens, tokens.dropFirst()) { succession.replace(old, by: new) }
    for token in [nil] + tokens.dropLast() {
      #expect(succession.successor(of: token) == tokens[3])
    }
    #expect(succession.successor(of: tokens[3]) == nil)
    #expect(succession.successor(of: stranger) == nil)
  }

  @Test("a restored or unchanged token has no successor")
  func circles() throws {
    let (one, two) = (try AccessToken("one"), try AccessToken("two"))
    var succession = TokenSuccession()
    succession.replace(one, by: one)
    #expect(succession.successor(of: one) == nil)
    succession.replace(one, by: two)
    succession.replace(two, by: one)
    #expect(succession.successor(of: one) == nil)
    #expect(succession.successor(of: two) == one)
  }
}
