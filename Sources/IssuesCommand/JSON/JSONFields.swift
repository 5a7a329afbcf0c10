internal import StyledText

/// The fields that `--json` requests, and the expression of `--jq`.
struct JSONFields: Sendable, Hashable {
  /// The known fields, most important first.
  struct Known: Sendable {
    let names: [String]
    /// Whether a server may send other fields. They are then accepted.
    let isOpen: Bool

    static func sent(_ names: [String]) -> Known {
      Known(
        names: names.contains("labels") ? names + [JSONObject.labelNames] : names, isOpen: true)
    }

    static func all<Field: RawRepresentable<String> & CaseIterable>(of _: Field.Type) -> Known {
      Known(names: Field.allCases.map(\.rawValue), isOpen: false)
    }

    /// Whether a word after `--json` is a list of fields rather than an argument: it is a known field, or it contains
    /// several possible ones.
    func areMeant(by word: String) -> Bool {
      let parts = word.split(separator: ",", omittingEmptySubsequences: false)
        .map { part in String(part.filter { $0 != " " }) }
      return parts.count == 1
        ? names.contains(parts[0]) : parts.allSatisfy(JSONFields.isPossible)
    }
  }

  /// The names in the order of the output; nil for all fields.
  private(set) var names: [String]?
  /// The unknown fields, which a response may contain.
  let unknown: [String]
  let known: [String]
  let expression: String?
  /// Whether to write one object per line (`--jsonl`).
  private(set) var isLines: Bool

  /// Reads names separated by commas. An empty text means all fields.
  init(
    _ text: String, known: Known, expression: String? = nil, isLines: Bool = false
  ) throws(Refusal) {
    self.known = known.names
    self.expression = expression
    self.isLines = isLines
    guard !text.isEmpty else {
      (names, unknown) = (nil, [])
      return
    }
    var names: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = String(part.filter { $0 != " " })
      if !names.contains(name) { names.append(name) }
    }
    self.names = names
    unknown = names.filter { !known.names.contains($0) }
    if let wrong = unknown.first(where: { !known.isOpen || !Self.isPossible($0) }) {
      throw refusal(of: wrong)
    }
  }

  /// Checks the expression, so that an invalid one fails before any request.
  func prepare(_ environment: [String: String]) async throws {
    try await program(environment)?.check()
  }

  func program(_ environment: [String: String]) throws(CommandFailure) -> JQProgram? {
    guard let expression else { return nil }
    return try JQProgram(expression, environment: environment)
  }

  /// Notes on the differences from gh's fields of the same names, for the requested fields.
  var notes: [String] {
    let notes = [
      "url": "'url' is the API's address here; gh's is 'html_url'",
      "state": "'state' is open or closed here; gh writes OPEN or CLOSED",
      "comments": "'comments' is their number here; 'issues view' has the texts as 'comments_list'",
      "id": "'id' is a number here; gh's is 'node_id'",
    ]
    guard known.contains("html_url") else { return [] }
    return (names ?? []).compactMap { notes[$0] }
  }

  /// The fields except for one that is written separately.
  func without(_ name: String) -> JSONFields {
    var fields = self
    fields.names?.removeAll { $0 == name }
    return fields
  }

  /// The fields in lines, for an endless list: an array would never be closed.
  func inLines() -> JSONFields {
    var fields = self
    fields.isLines = true
    return fields
  }

  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  func refusal(of name: String) -> Refusal {
    let own = nameHere(ofGH: name).map { ": gh's '\(name)' is '\($0)' here" } ?? ""
    return Refusal(
      description:
        "There is no field '\(TerminalText(name))'\(own). Fields: \(known.joined(separator: ", "))."
    )
  }

  /// The name of a field that has a different name in gh, such as `created_at` for gh's `createdAt`.
  private func nameHere(ofGH name: String) -> String? {
    let renamed = [
      "author": "user", "closed": "state", "isPinned": "pinned", "issueType": "type",
      "nameWithOwner": "full_name", "reactionGroups": "reactions", "isPullRequest": "pull_request",
    ]
    let snake = name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    let own = renamed[name] ?? snake
    return own != name && known.contains(own) ? own : nil
  }

  /// Whether a server could use this name for a field.
  fileprivate static func isPossible(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
