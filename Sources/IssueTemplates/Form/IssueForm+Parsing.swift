extension IssueForm {
  /// Reads a form.
  ///
  /// - Parameters:
  ///   - text: The contents of the file.
  ///   - fileName: Its name.
  /// - Throws: ``TemplateError`` for a form that GitHub would refuse.
  public init(parsing text: String, fileName: String) throws(TemplateError) {
    guard let value = try YAMLValue.document(text, file: fileName), !value.isNull else {
      throw TemplateError(file: fileName, problem: "the file is empty")
    }
    let reader = try TemplateReader(value, file: fileName)
    try reader.allow(
      "name", "description", "body", "title", "labels", "assignees", "projects", "type")
    self.init(
      fileName: fileName, name: try reader.requiredText("name"),
      description: try reader.requiredText("description"),
      title: try reader.text("title").flatMap { $0.isEmpty ? nil : $0 },
      labels: try reader.names("labels"), assignees: try reader.names("assignees"),
      projects: try reader.names("projects"),
      type: try reader.text("type").flatMap { $0.isEmpty ? nil : $0 }, elements: [])
    guard let body = try reader.list("body"), !body.isEmpty else {
      throw reader.error("the form has no “body”")
    }
    var known: [String: String] = [:]
    for (index, value) in body.enumerated() {
      let place = try TemplateReader(value, file: fileName, place: "body[\(index)]")
      let element = try FormElementReader(place).element()
      elements.append(element)
      guard case .field(let field) = element else { continue }
      if let label = known.updateValue(field.label, forKey: field.id) {
        throw place.error(
          place.value("id") != nil || label != field.label
            ? "the id “\(field.id)” isn't unique: give each element an id of its own"
            : "the label “\(field.label)” isn't unique: give each element an id of its own")
      }
    }
    guard !fields.isEmpty else {
      throw reader.error("“body” has only Markdown, and nothing to fill in", line: body[0].line)
    }
  }
}

private struct FormElementReader {
  let place: TemplateReader

  init(_ place: TemplateReader) {
    self.place = place
  }

  func element() throws(TemplateError) -> IssueForm.Element {
    try place.allow("type", "id", "attributes", "validations")
    let type = try place.requiredText("type")
    guard let attributes = try place.reader("attributes") else {
      throw place.error("the key “attributes” is missing")
    }
    if type == "markdown" {
      if let id = place.value("id") {
        throw place.error("Markdown can't have an “id”", line: id.line)
      }
      try attributes.allow("value")
      return .markdown(try attributes.requiredText("value"))
    }
    let kind = try kind(type, attributes)
    let label = try attributes.requiredText("label")
    let validations = try place.reader("validations")
    if case .upload = kind {
      try validations?.allow("required", "accept")
    } else {
      try validations?.allow("required")
    }
    return .field(
      FormField(
        id: try id(label: label), label: label, description: try attributes.text("description"),
        isRequired: try validations?.boolean("required") ?? false, kind: kind))
  }

  private func id(label: String) throws(TemplateError) -> String {
    guard let value = place.value("id") else { return Self.parameterized(label) }
    let id = try place.requiredText("id")
    guard
      id.utf8.allSatisfy({ Self.isIDPart($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
      )
    else {
      throw place.error(
        "the id “\(id)” may only have letters, digits, “-” and “_”", line: value.line)
    }
    return id
  }

  /// `What happened?` as `what-happened`.
  private static func parameterized(_ label: String) -> String {
    label.lowercased().utf8.split { !isIDPart($0) }
      .map { String(Substring($0)) }.joined(separator: "-")
  }

  private static func isIDPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private func kind(
    _ type: String, _ attributes: TemplateReader
  ) throws(TemplateError) -> FormField.Kind {
    switch type {
    case "input":
      try attributes.allow("label", "description", "placeholder", "value")
      return .input(
        placeholder: try attributes.text("placeholder"), value: try attributes.text("value"))
    case "textarea":
      try attributes.allow("label", "description", "placeholder", "value", "render")
      return .textarea(
        placeholder: try attributes.text("placeholder"), value: try attributes.text("value"),
        language: try attributes.text("render"))
    case "dropdown": return try dropdown(attributes)
    case "checkboxes": return try checkboxes(attributes)
    case "upload":
      try attributes.allow("label", "description")
      let accepted = try place.reader("validations")?.names("accept") ?? []
      return .upload(accepted: accepted)
    default:
      throw place.error(
        "“\(type)” is not a type of element: use markdown, input, textarea, dropdown, checkboxes or upload",
        line: place.value("type")?.line)
    }
  }

  private func dropdown(_ attributes: TemplateReader) throws(TemplateError) -> FormField.Kind {
    try attributes.allow("label", "description", "options", "multiple", "default")
    var options: [String] = []
    for value in try list(attributes) {
      let option = try attributes.text(of: value, "an option")
      try check(option, value.line, among: options, attributes)
      // GitHub adds this option to a dropdown that isn't required.
      if option.lowercased() == "none" {
        throw attributes.error("the option “\(option)” is reserved", line: value.line)
      }
      options.append(option)
    }
    var defaultOption: Int?
    if let value = attributes.value("default") {
      guard case .scalar(let text, isPlain: true, _) = value, let index = Int(text),
        options.indices.contains(index)
      else {
        throw attributes.error(
          "“default” must be the place of an option, counted from 0", line: value.line)
      }
      defaultOption = index
    }
    return .dropdown(
      options: options, isMultiple: try attributes.boolean("multiple") ?? false,
      defaultOption: defaultOption)
  }

  private func checkboxes(_ attributes: TemplateReader) throws(TemplateError) -> FormField.Kind {
    try attributes.allow("label", "description", "options")
    var boxes: [FormField.Checkbox] = []
    for (index, value) in try list(attributes).enumerated() {
      let option = try TemplateReader(
        value, file: place.file, place: "\(attributes.place).options[\(index)]")
      try option.allow("label", "required")
      let label = try option.requiredText("label")
      try check(label, value.line, among: boxes.map(\.label), attributes)
      boxes.append(
        FormField.Checkbox(label: label, isRequired: try option.boolean("required") ?? false))
    }
    return .checkboxes(boxes)
  }

  private func list(_ attributes: TemplateReader) throws(TemplateError) -> [YAMLValue] {
    guard let values = try attributes.list("options") else {
      throw attributes.error("the key “options” is missing")
    }
    guard !values.isEmpty else {
      throw attributes.error("“options” is empty", line: attributes.value("options")?.line)
    }
    return values
  }

  private func check(
    _ option: String, _ line: Int, among options: [String], _ attributes: TemplateReader
  ) throws(TemplateError) {
    guard !option.allSatisfy(\.isWhitespace) else {
      throw attributes.error("an option is empty", line: line)
    }
    guard !options.contains(option) else {
      throw attributes.error("the option “\(option)” isn't unique", line: line)
    }
  }
}
