extension IssueForm {
  /// Reads a form.
  ///
  /// - Parameters:
  ///   - text: The contents of the file.
  ///   - fileName: The file name.
  /// - Throws: ``TemplateError`` for a form without a name, a purpose or a question. Other unreadable parts are in
  ///   ``passedOver``.
  public init(parsing text: String, fileName: String) throws(TemplateError) {
    guard let value = try YAMLValue.document(text, file: fileName), !value.isNull else {
      throw TemplateError(file: fileName, problem: "the file is empty")
    }
    let notes = TemplateNotes()
    let reader = try TemplateReader(value, file: fileName, notes: notes)
    // Markdown templates and early forms use “about”.
    let purpose =
      reader.value("description") == nil && reader.value("about") != nil ? "about" : "description"
    reader.passOver(
      allBut: "name", purpose, "body", "title", "labels", "assignees", "projects", "type")
    self.init(
      fileName: fileName, name: try reader.requiredText("name"),
      description: try reader.requiredText(purpose),
      title: reader.nonemptyText("title"), labels: reader.readableNames("labels"),
      assignees: reader.readableNames("assignees"), projects: reader.readableNames("projects"),
      type: reader.nonemptyText("type"), elements: [])
    guard let body = try reader.list("body"), !body.isEmpty else {
      throw reader.error("the form has no “body”")
    }
    var known: [String: String] = [:]
    var problem: TemplateError?
    for (index, value) in body.enumerated() {
      do throws(TemplateError) {
        let place = try TemplateReader(
          value, file: fileName, place: "body[\(index)]", notes: notes)
        let element = try FormElementReader(place).element()
        if case .field(let field) = element {
          if let label = known[field.id] {
            throw place.error(
              place.value("id") != nil || label != field.label
                ? "the id “\(field.id)” isn't unique: give each element its own id"
                : "the label “\(field.label)” isn't unique: give each element its own id")
          }
          known[field.id] = field.label
        }
        elements.append(element)
      } catch {
        notes.passedOver.append(error)
        problem = problem ?? error
      }
    }
    guard !fields.isEmpty else {
      throw problem
        ?? reader.error("“body” has only Markdown, and nothing to fill in", line: body[0].line)
    }
    passedOver = notes.passedOver
  }
}

private struct FormElementReader {
  let place: TemplateReader

  init(_ place: TemplateReader) {
    self.place = place
  }

  func element() throws(TemplateError) -> IssueForm.Element {
    place.passOver(allBut: "type", "id", "attributes", "validations")
    let type = try place.requiredText("type")
    guard let attributes = try place.reader("attributes") else {
      throw place.error("the key “attributes” is missing")
    }
    if type == "markdown" {
      // GitHub's page ignores an id here.
      attributes.passOver(allBut: "value")
      return .markdown(try attributes.requiredText("value"))
    }
    let kind = try kind(type, attributes)
    let label: String
    if case .checkboxes = kind, attributes.value("label") == nil {
      label = id ?? "Checkboxes"
    } else {
      label = try attributes.requiredText("label")
    }
    let validations = place.readable { () throws(TemplateError) in
      try place.reader("validations")
    }
    if case .upload = kind {
      validations?.passOver(allBut: "required", "accept")
    } else {
      validations?.passOver(allBut: "required")
    }
    return .field(
      FormField(
        id: id ?? Self.parameterized(label), label: label,
        description: attributes.nonemptyText("description"),
        isRequired: validations.map { flag("required", $0) } ?? false, kind: kind))
  }

  private var id: String? {
    place.readable { () throws(TemplateError) in
      guard let value = place.value("id") else { return nil }
      let id = try place.requiredText("id")
      guard
        id.utf8.allSatisfy({
          Self.isIDPart($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        })
      else {
        throw place.error(
          "the id “\(id)” may only have letters, digits, “-” and “_”", line: value.line)
      }
      return id
    }
  }

  private func flag(_ key: String, _ reader: TemplateReader) -> Bool {
    reader.readable { () throws(TemplateError) in try reader.boolean(key) } ?? false
  }

  /// Converts `What happened?` to `what-happened`; returns the label itself if it doesn't contain ASCII letters or
  /// digits.
  private static func parameterized(_ label: String) -> String {
    let id = label.lowercased().utf8.split { !isIDPart($0) }
      .map { String(Substring($0)) }.joined(separator: "-")
    return id.isEmpty ? label.trimmed : id
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
      attributes.passOver(allBut: "label", "description", "placeholder", "value")
      return .input(
        placeholder: attributes.nonemptyText("placeholder"), value: attributes.nonemptyText("value")
      )
    case "textarea":
      attributes.passOver(allBut: "label", "description", "placeholder", "value", "render")
      return .textarea(
        placeholder: attributes.nonemptyText("placeholder"),
        value: attributes.nonemptyText("value"), language: attributes.nonemptyText("render"))
    case "dropdown": return try dropdown(attributes)
    case "checkboxes": return try checkboxes(attributes)
    case "upload":
      attributes.passOver(allBut: "label", "description")
      let accepted = place.readable { () throws(TemplateError) in
        try place.reader("validations")?.names("accept")
      }
      return .upload(accepted: accepted ?? [])
    default:
      throw place.error(
        "“\(type)” is not a type of element: use markdown, input, textarea, dropdown, checkboxes or upload",
        line: place.value("type")?.line)
    }
  }

  private func dropdown(_ attributes: TemplateReader) throws(TemplateError) -> FormField.Kind {
    attributes.passOver(allBut: "label", "description", "options", "multiple", "default")
    let chosen = attributes.readable { () throws(TemplateError) -> YAMLValue? in
      guard let value = attributes.value("default") else { return nil }
      let values = try list(attributes)
      guard case .scalar(let text, isPlain: true, _) = value, let index = Int(text),
        values.indices.contains(index)
      else {
        throw attributes.error(
          "“default” must be the place of an option, counted from 0", line: value.line)
      }
      return values[index]
    }
    let options = try options(attributes) { value, _ throws(TemplateError) in
      let option = try attributes.text(of: value, "an option")
      // GitHub adds this option to a dropdown that isn't required.
      if option.lowercased() == "none" {
        throw attributes.error("the option “\(option)” is reserved", line: value.line)
      }
      return (option, option)
    }
    let defaultOption = chosen.flatMap { value -> Int? in
      guard case .scalar(let text, _, _) = value else { return nil }
      return options.firstIndex(of: text)
    }
    return .dropdown(
      options: options, isMultiple: flag("multiple", attributes), defaultOption: defaultOption)
  }

  private func checkboxes(_ attributes: TemplateReader) throws(TemplateError) -> FormField.Kind {
    attributes.passOver(allBut: "label", "description", "options")
    let boxes = try options(attributes) { value, index throws(TemplateError) in
      let option = try TemplateReader(
        value, file: place.file, place: "\(attributes.place).options[\(index)]",
        notes: place.notes)
      option.passOver(allBut: "label", "required")
      let label = try option.requiredText("label")
      return (label, FormField.Checkbox(label: label, isRequired: flag("required", option)))
    }
    return .checkboxes(boxes)
  }

  /// The readable options; throws if none can be read.
  private func options<Option>(
    _ attributes: TemplateReader,
    _ read: (YAMLValue, Int) throws(TemplateError) -> (text: String, option: Option)
  ) throws(TemplateError) -> [Option] {
    var known: Set<String> = []
    var options: [Option] = []
    var problem: TemplateError?
    for (index, value) in try list(attributes).enumerated() {
      do throws(TemplateError) {
        let (text, option) = try read(value, index)
        guard !text.allSatisfy(\.isWhitespace) else {
          throw attributes.error("an option is empty", line: value.line)
        }
        guard known.insert(text).inserted else {
          throw attributes.error("the option “\(text)” isn't unique", line: value.line)
        }
        options.append(option)
      } catch {
        attributes.notes.passedOver.append(error)
        problem = problem ?? error
      }
    }
    if options.isEmpty, let problem { throw problem }
    return options
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
}
