import GitHubAPI
import HTTPTargets
import HTTPTypes
import PlatformModules
import Testing

@Suite("The entries of a page")
struct PageContentsTests {
  @Test(
    "the entries of a page stay in order, and unreadable ones are set aside",
    arguments: [0, 1, 7, 8, 9, 30, 100], [false, true])
  func order(count: Int, hasUnreadable: Bool) throws {
    func isUnreadable(_ index: Int) -> Bool { hasUnreadable && index % 5 == 3 }
    let entries = (0..<count).map { isUnreadable($0) ? #""x""# : "\($0)" }
    let body = Data("[\(entries.joined(separator: ", "))]".utf8)
    let contents = try PageContents<Int>(of: response(body), .array)
    #expect(contents.items == (0..<count).filter { !isUnreadable($0) })
    #expect(
      contents.unreadable.map(\.name)
        == (0..<count).filter(isUnreadable).map { "entry \($0 + 1) of its page" })
  }

  @Test("the entries of a page keep their bytes")
  func bytes() throws {
    let texts = (1...40).map { #"{"login":"u\#($0)","id": \#($0)}"# }
    let body = Data("[\(texts.joined(separator: ",\n"))]".utf8)
    let contents = try PageContents<Sent<GitHub.User>>(of: response(body), .array)
    #expect(contents.items.map(\.json) == texts.map { Data($0.utf8) })
    #expect(contents.items.map(\.entity.login) == (1...40).map { "u\($0)" })
  }

  private func response(_ body: Data) -> TargetResponse {
    TargetResponse(request: TargetRequest(url: "https://api.github.com/x"), status: .ok, body: body)
  }
}
