import GitHubAPI
import Testing

@Suite("The address of a list")
struct ListAddressTests {
  @Test(
    "the address of a GitHub list becomes a search query",
    arguments: [
      ("issues?q=is%3Aclosed+label%3Abug", "is:closed label:bug"),
      (
        "issues?q=is%3Aissue%20state%3Aopen%20label%3A%22good%20first%20issue%22",
        #"is:issue state:open label:"good first issue""#
      ),
      ("issues/?q=c%2B%2B#start", "c++"), ("issues?q=", ""), ("issues?utf8=%E2%9C%93&q=x", "x"),
      ("issues?q=%zz", "%zz"), ("pulls", "is:pr is:open"), ("pulls/", "is:pr is:open"),
      ("pulls?q=is%3Apr+is%3Amerged", "is:pr is:merged"), ("pulls?q=crash", "is:pr crash"),
      ("labels/bug", "is:open label:bug"),
      ("labels/good%20first%20issue", #"is:open label:"good first issue""#),
      ("labels/c%2B%2B", #"is:open label:"c++""#),
      ("labels/a%22%20is:pr", #"is:open label:"a\" is:pr""#),
      ("labels/area%2Ftypes", #"is:open label:"area/types""#),
      ("issues/assigned/octocat", "is:open assignee:octocat"),
      ("issues/assigned/@me", "is:open assignee:@me"),
      ("issues/created_by/ada", "is:open author:ada"),
      ("issues/mentioned/ada", "is:open mentions:ada"),
      ("pulls/ada", "is:pr is:open author:ada"),
      ("pulls/app/dependabot", "is:pr is:open author:app/dependabot"),
      ("pulls/assigned/ada", "is:pr is:open assignee:ada"),
      ("pulls/review-requested/ada", "is:pr is:open review-requested:ada"),
    ])
  func query(page: String, expected: String) throws {
    let address = try #require(try ListAddress.read("https://github.com/o/r/\(page)"))
    #expect(address.query == expected)
    #expect("\(address.repository)" == "github.com/o/r")
    #expect(address.milestone == nil)
    #expect(address.leftOut.isEmpty)
  }

  @Test("the address of a milestone has its number")
  func milestone() throws {
    let text = "http://ghe.example.com:8080/o/r/milestone/6"
    let address = try #require(try ListAddress.read(text))
    #expect(address.milestone == 6)
    #expect(address.query == "is:open")
    #expect("\(address.repository)" == "ghe.example.com:8080/o/r")
  }

  @Test("unsupported query items of a list's address are kept for the message")
  func leftOut() throws {
    let address = try #require(
      try ListAddress.read("https://github.com/o/r/issues?page=2&q=x&sort=oldest"))
    #expect(address.leftOut == ["page=2", "sort=oldest"])
    let page = try #require(try ListAddress.read("https://github.com/o/r/issues?page=2"))
    #expect(page.query == "is:open")
    #expect(page.leftOut == ["page=2"])
  }

  @Test(
    "the address of a page without a list is refused as a list address",
    arguments: [
      "o/r", "https://github.com/o/r", "https://github.com/o/r/", "https://github.com/o/r/issues",
      "https://github.com/o/r/issues/", "https://github.com/o/r/issues/12",
      "https://github.com/o/r/pull/12", "https://github.com/o/r/settings",
      "https://github.com/o/r/labels", "https://github.com/o/r/milestone/x",
      "https://github.com/o/r/issues/assigned/", "https://github.com/o/r/issues/assigned/a%20is:pr",
      "https://github.com/o/r/pulls/a%22", "git@github.com:o/r.git", "ssh://github.com/o/r/pulls",
      "",
    ])
  func others(text: String) throws {
    #expect(try ListAddress.read(text) == nil)
  }

  @Test(
    "a list's address with an invalid server or repository is refused",
    arguments: [
      "https://github.com/../r/pulls", "https://user:secret@github.com/o/r/pulls",
      "https://github.com/o/r%20/pulls", "https:///o/r/pulls",
    ])
  func refused(text: String) {
    #expect(throws: InvalidInput.self) { try ListAddress.read(text) }
  }
}
