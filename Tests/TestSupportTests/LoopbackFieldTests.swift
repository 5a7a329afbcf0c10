import Foundation
import Testing

@testable import TestSupport

@Suite("Fields on the loopback GitHub", .timeLimit(.minutes(5)))
struct LoopbackFieldTests {
  @Test(
    "issue fields can be listed, added, replaced, cleared singly, and cleared all at once"
  )
  func values() async throws {
    try await withWritableGitHub { _, client in
      func set(_ method: String, _ values: String) async throws -> WritingClient.Answer {
        try await client.send(
          method, "/issues/1/issue-field-values", "{\"issue_field_values\":[\(values)]}")
      }
      func ids() async throws -> [Int] {
        try await client.send("GET", "/issues/1/issue-field-values").json.elements?
          .compactMap { $0["issue_field_id"]?.integer } ?? []
      }
      let fields = try await client.send("GET", "//orgs/swiftlang/issue-fields")
      #expect(fields.json.elements?.count == 5)
      #expect(try await client.send("GET", "/issues/1").json.at("issue_field_values") == nil)
      let answer = try await set("POST", #"{"field_id":5001,"value":"High"}"#)
      #expect(answer.status == 200)
      #expect(answer.json.elements?.first?.at("single_select_option.name") == .string("High"))
      #expect(try await set("POST", #"{"field_id":5002,"value":3}"#).status == 200)
      #expect(try await ids() == [5_001, 5_002])
      let issue = try await client.send("GET", "/issues/1")
      #expect(issue.json["issue_field_values"]?.elements?.count == 2)
      #expect(try await client.send("DELETE", "/issues/1/issue-field-values/5001").status == 204)
      #expect(try await client.send("DELETE", "/issues/1/issue-field-values/5001").status == 404)
      #expect(try await set("POST", #"{"field_id":5001,"value":"Highest"}"#).status == 422)
      #expect(try await set("POST", #"{"field_id":5002,"value":"3"}"#).status == 422)
      #expect(try await set("PUT", #"{"field_id":5004,"value":["tools"]}"#).status == 200)
      #expect(try await ids() == [5_004])
      #expect(try await set("POST", "").status == 200)
      #expect(try await ids() == [])
    }
  }
}
