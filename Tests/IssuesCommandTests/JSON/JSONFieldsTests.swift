import Testing

@testable import IssuesCommand

@Suite("JSON fields")
struct JSONFieldsTests {
  @Test(
    "the error for gh's name of a field suggests the field to use",
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

  @Test("a requested field whose meaning differs in gh is explained")
  func notes() throws {
    let issue = JSONFields.Known.sent(["html_url", "url", "state", "comments", "id", "title"])
    let fields = try JSONFields("id,title,url", known: issue)
    #expect(
      fields.notes == [
        "'id' is a number here; gh's is 'node_id'",
        "'url' is the API's address here; gh's is 'html_url'",
      ])
    #expect(try JSONFields("", known: issue).notes.isEmpty)
    #expect(try JSONFields("id,state", known: .sent(["id", "state"])).notes.isEmpty)
  }
}
