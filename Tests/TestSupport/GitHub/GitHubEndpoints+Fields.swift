internal import PlatformModules

/// Fields of issues.
///
/// https://docs.github.com/en/rest/issues/issue-field-values
extension GitHubEndpoints {
  /// The values of an issue's fields, as JSON.
  func fieldValues(of issue: SyntheticIssue) -> String {
    JSONText.array(
      json.fields.compactMap { field in issue.fields[field.id].map { json.fieldValue(field, $0) } })
  }

  /// Carries out writes of fields, which require push access.
  func performOnFields(
    _ operation: WriteOperation, _ input: JSONInput, _ place: WritePlace
  ) throws(WriteRefusal) -> LoopbackResponse {
    guard github.configuration.hasRelations else { throw .notFound }
    guard permission >= .write else { throw .forbidden }
    let number: Int
    switch operation {
    case .setFields(let issue), .replaceFields(let issue): number = issue
    case .clearField(let number, let id):
      guard try issue(number, place).fields[id] != nil else { throw .notFound }
      place.store.update { book in
        book.revise(number, at: now, by: login) { $0.fields[id] = nil }
      }
      return LoopbackResponse(status: 204)
    default: throw .notFound
    }
    _ = try issue(number, place)
    guard let given = input["issue_field_values"]?.elements else {
      throw .missing("issue_field_values")
    }
    var values: [Int: String] = [:]
    for value in given {
      guard let id = value["field_id"]?.integer, let content = value["value"],
        let field = json.fields.first(where: { $0.id == id }), field.takes(content),
        given.count <= 25
      else { throw .invalid("IssueFieldValue", "value") }
      values[id] = content.json
    }
    // An empty array clears all of them, with POST, too.
    let isWhole = operation == .replaceFields(number) || values.isEmpty
    place.store.update { [values] book in
      book.revise(number, at: now, by: login) { issue in
        issue.fields = isWhole ? values : issue.fields.merging(values) { $1 }
      }
    }
    return written(fieldValues(of: try issue(number, place)))
  }
}

extension GitHubJSON {
  /// A field.
  func field(_ field: SyntheticIssueField) -> String {
    let options = field.options.enumerated().map { index, name in
      "{\"id\":\(field.id * 10 + index),\"name\":\(JSONText.string(name)),\"color\":\"red\"}"
    }
    return """
      {"id":\(field.id),"node_id":"IFN_\(field.id)","name":\(JSONText.string(field.name)),\
      "description":null,"data_type":"\(field.type)",\
      "options":\(options.isEmpty ? "null" : JSONText.array(options))}
      """
  }

  /// The value of a field. Of selected options it has ids, and beside them their names.
  func fieldValue(_ field: SyntheticIssueField, _ json: String) -> String {
    func option(_ name: String) -> String? {
      field.options.firstIndex(of: name).map { index in
        "{\"id\":\(field.id * 10 + index),\"name\":\(JSONText.string(name)),\"color\":\"red\"}"
      }
    }
    var members = "\"value\":\(json)"
    let value = JSONInput(Data(json.utf8))
    if let names = value?.elements?.compactMap(\.text) {
      members =
        "\"value\":\(JSONText.string(names.joined(separator: ","))),\"multi_select_options\":"
        + JSONText.array(names.compactMap(option))
    } else if field.type == "single_select", let name = value?.text {
      members += ",\"single_select_option\":\(option(name) ?? "null")"
    }
    return """
      {"issue_field_id":\(field.id),"issue_field_name":\(JSONText.string(field.name)),\
      "node_id":"IFV_\(field.id)","data_type":"\(field.type)",\(members)}
      """
  }
}

extension JSONInput {
  /// The value as JSON.
  fileprivate var json: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .string(let text): JSONText.string(text)
    case .array(let values): JSONText.array(values.map(\.json))
    case .object(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\(JSONText.string($0.key)):\($0.value.json)" }.joined(separator: ","))}"
    }
  }
}
