import Testing

@testable import IssuesCommand

@Suite("Fields of JSON")
struct JSONFieldsTests {
  @Test(
    "the refusal of a field that gh calls otherwise names the field to use",
    arguments: [
      ("author", "user"), ("createdAt", "created_at"), ("stateReason", "state_reason"),
      ("closedAt", "closed_at"), ("issueType", "type"),
    ])
  func nameOfGH(name: String, own: String) throws {
    let fields = try JSONFields(
      "", known: .sent(["user", "created_at", "state_reason", "closed_at", "type"]))
    let message = fields.refusal(of: name).description
    #expect(message.hasPrefix("There is no field '\(name)': gh's '\(name)' is '\(own)' here. "))
  }
}
