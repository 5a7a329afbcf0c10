import TestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A server whose answers look the same whenever they are shown: their times lie as far before now as
/// they always did, half a unit away from where the words for them change.
enum SnapshotServer {
  static var handler: LoopbackServer.Handler {
    var routes = RouteTable()
    routes.on(
      "/repos/swiftlang/swift",
      .json(#"{"id":44838949,"full_name":"swiftlang/swift","open_issues_count":5}"#))
    routes.on("/repos/swiftlang/swift/issues", .json("[\(issues.joined(separator: ","))]"))
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
      "created_at":"2015-12-03T00:00:00Z","updated_at":"\(time(age))"}
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
