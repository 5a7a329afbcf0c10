import PlatformModules
import TestSupport

/// A server whose answers look the same whenever they are shown: their times lie as far before now as
/// they always did, half a unit away from where the words for them change.
enum SnapshotServer {
  static var handler: LoopbackServer.Handler {
    var routes = RouteTable()
    routes.on(
      "/repos/swiftlang/swift",
      .json(#"{"id":44838949,"full_name":"swiftlang/swift","open_issues_count":5}"#))
    routes.on("/repos/swiftlang/swift/issues", .json("[\(issues.joined(separator: ","))]"))
    routes.on("/repos/swiftlang/swift/issues/85968", .json(read))
    routes.on("/repos/swiftlang/swift/issues/85968/comments", .json("[\(comments)]"))
    routes.on("/repos/swiftlang/swift/issues/8", .json(issues[4]))
    routes.on(
      "/search/repositories",
      .json(
        """
        {"total_count":1234,"incomplete_results":false,\
        "items":[\(repositories.joined(separator: ","))]}
        """
      ).with { $0.headers.add("Link", "</search/repositories?page=2>; rel=\"next\"") })
    routes.on("/users/octocat/repos", .json("[\(repositories.joined(separator: ","))]"))
    routes.on(
      "/users/octocat",
      .json(
        """
        {"id":583231,"login":"octocat","name":"The Octocat","type":"User","bio":null,\
        "company":"@github","location":"San Francisco, not far from the bridge, and sometimes 東京",\
        "blog":"https://github.blog","followers":20400,"following":9,"public_repos":8,\
        "created_at":"2011-01-25T18:44:36Z","html_url":"https://github.com/octocat"}
        """))
    return routes.handler
  }

  private static let hour = 3600.0
  private static let day = 24 * hour

  private static var issues: [String] {
    [
      issue(
        85968, "Compiler crashes when a macro expands to an empty switch",
        ["bug": "fc2929", "compiler": "bfdadc"], age: 3.5 * hour),
      issue(
        85907, "日本語の識別子を含む診断メッセージの桁位置がずれる 🐛", ["Linux": "0e8a16"],
        age: 2.5 * day),
      issue(
        85714,
        "Type checker gives up with \\\"unable to type-check this expression in reasonable time\\\"",
        ["good first issue": "7057ff", "needs reproduction": "fbca04"], age: 345 * day),
      issue(
        9, "Closed as done", [:], state: #""state":"closed","state_reason":"completed""#,
        age: 3100 * day),
      issue(
        8, "Closed and never done", [:],
        state: #""state":"closed","state_reason":"not_planned""#, age: 3100 * day),
    ]
  }

  /// The issue that is read, with what there can be in a text.
  private static var read: String {
    let body = #"""
      The program below *crashes* the compiler, see [the manual](https://www.swift.org/documentation/) \#
      and #85907.

      ```swift
      switch value { #emptyCases }
      ```

      - [x] debug build, **always**
      - [ ] release build, with a line that is long enough to be broken at eighty columns, and again at forty

      | version | crashes |
      |---------|--------:|
      | 6.2     | 日本語  |
      | 6.3     | 3 of 10 |

      > I bisected this, said @ada. :tada:

      <details><summary>Stack dump</summary>

      1. `swift-frontend`

      </details>

      ![a screenshot](https://example.com/shot.png)
      """#
    return """
      {"id":85968,"number":85968,"state":"open","title":"Compiler crashes when a macro expands to an \
      empty switch","comments":2,"user":{"id":1,"login":"monalisa"},"body":\(encoded(body)),\
      "labels":[{"name":"bug","color":"fc2929"},{"name":"good first issue","color":"7057ff"}],\
      "assignees":[{"id":2,"login":"ada"},{"id":3,"login":"grace-h"}],"milestone":{"title":"6.3"},\
      "html_url":"https://github.com/swiftlang/swift/issues/85968",\
      "reactions":{"total_count":5,"+1":3,"heart":2},\
      "created_at":"\(time(3.5 * day))","updated_at":"\(time(3.5 * hour))"}
      """
  }

  private static var comments: String {
    """
    {"id":1,"body":"It is in `expand(_:)`.\\r\\n\\r\\nA fix is on its way.","author_association":"MEMBER",\
    "user":{"id":2,"login":"ada"},"created_at":"\(time(2.5 * day))","updated_at":"\(time(day))",\
    "reactions":{"total_count":1,"rocket":1}},\
    {"id":2,"body":null,"author_association":"NONE","user":null,"created_at":"\(time(3.5 * hour))",\
    "updated_at":"\(time(3.5 * hour))"}
    """
  }

  private static func encoded(_ text: String) -> String {
    (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  private static var repositories: [String] {
    [
      repository(
        "Hello-World", #""My first repository on GitHub!""#, "null", 3100, age: 30.5 * hour),
      repository(
        "terminal-weather", #""Weather in the terminal ☀️, with a forecast for the whole week""#,
        #""Swift""#, 12, age: 100 * day),
      repository("notes", "null", "null", 0, age: 3100 * day),
    ]
  }

  private static func issue(
    _ number: Int, _ title: String, _ labels: KeyValuePairs<String, String>,
    state: String = #""state":"open","state_reason":null"#, age: Double
  ) -> String {
    let list = labels.map { #"{"name":"\#($0.key)","color":"\#($0.value)"}"# }
    return """
      {"id":\(number),"number":\(number),"title":"\(title)",\(state),"comments":1,"assignees":[],\
      "labels":[\(list.joined(separator: ","))],"user":{"id":1,"login":"monalisa"},\
      "created_at":"\(time(4000 * day))","updated_at":"\(time(age))"}
      """
  }

  private static func repository(
    _ name: String, _ description: String, _ language: String, _ stars: Int, age: Double
  ) -> String {
    """
    {"id":\(stars),"name":"\(name)","full_name":"octocat/\(name)","description":\(description),\
    "language":\(language),"stargazers_count":\(stars),"updated_at":"\(time(age))"}
    """
  }

  private static func time(_ age: Double) -> String {
    Date(timeIntervalSinceNow: -age).formatted(.iso8601)
  }
}
