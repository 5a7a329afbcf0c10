import IssueTemplates
import Testing

@Suite("Parsing forms")
struct FormParsingTests {
  /// A form with every kind of element.
  static let whole = """
    name: Bug report
    description: "File a bug: it helps."
    title: "[Bug]: "
    labels: ["bug", "triage"]
    assignees: octocat, ada
    projects: ["octo-org/1"]
    type: Bug
    body:
      - type: markdown
        attributes:
          value: |
            Thanks!
            &nbsp; **Q&A** and *A* are elsewhere.
      - type: input
        id: contact
        attributes:
          label: Contact Details
          description: How can we get in touch?
          placeholder: ex. email@example.com
      - type: textarea
        attributes:
          label: What happened?
          value: A bug happened!
        validations:
          required: true
      - type: textarea
        id: logs
        attributes:
          label: Relevant log output
          render: shell
      - type: dropdown
        id: version
        attributes:
          label: Version
          options:
            - 1.0.2 (Default)
            - 1.0.3 (Edge)
            - "No"
          default: 1
      - type: dropdown
        id: browsers
        attributes: {label: Browsers, multiple: true, options: [Firefox, Chrome]}
      - type: checkboxes
        id: terms
        attributes:
          label: Code of Conduct
          options:
            - label: I agree
              required: true
            - label: I read it
      - type: upload
        id: shot
        attributes: {label: Screenshot}
        validations: {required: false, accept: ".png,.jpg"}
    """

  @Test("a form with every element is parsed")
  func all() throws {
    let form = try IssueForm(parsing: Self.whole, fileName: "bug.yml")
    #expect(form.name == "Bug report")
    #expect(form.description == "File a bug: it helps.")
    #expect(form.title == "[Bug]: ")
    #expect(form.labels == ["bug", "triage"])
    #expect(form.assignees == ["octocat", "ada"])
    #expect(form.projects == ["octo-org/1"])
    #expect(form.type == "Bug")
    #expect(
      form.elements.first
        == .markdown("Thanks!\n&nbsp; **Q&A** and *A* are elsewhere.\n"))
    #expect(
      form.fields.map(\.id) == [
        "contact", "what-happened", "logs", "version", "browsers", "terms", "shot",
      ])
    #expect(
      form["contact"]
        == FormField(
          id: "contact", label: "Contact Details", description: "How can we get in touch?",
          kind: .input(placeholder: "ex. email@example.com", value: nil)))
    #expect(form["what-happened"]?.isRequired == true)
    #expect(
      form["version"]?.kind
        == .dropdown(
          options: ["1.0.2 (Default)", "1.0.3 (Edge)", "No"], isMultiple: false, defaultOption: 1))
    #expect(form["browsers"]?.isMultiple == true)
    #expect(
      form["terms"]?.kind
        == .checkboxes([.init(label: "I agree", isRequired: true), .init(label: "I read it")]))
    #expect(form["shot"]?.kind == .upload(accepted: [".png", ".jpg"]))
  }

  /// A form that GitHub refuses, and the words that say why.
  struct Refused: Sendable, CustomTestStringConvertible {
    var line: Int?
    var problem: String
    var text: String

    init(_ line: Int?, _ problem: String, _ text: String) {
      (self.line, self.problem, self.text) = (line, problem, text)
    }

    /// With an element in place of the body.
    init(_ line: Int?, _ problem: String, element: String) {
      self.init(line, problem, "name: Bugs\ndescription: d\nbody:\n\(element)")
    }

    var testDescription: String { problem }
  }

  static let refused: [Refused] = [
    Refused(nil, "the file is empty", ""),
    Refused(nil, "the file is empty", "# nothing\n"),
    Refused(1, "keys with values are expected", "just text"),
    Refused(1, "the key “name” is missing", "description: d\nbody: []"),
    Refused(1, "“name” is empty", "name: ' '\ndescription: d\nbody: []"),
    Refused(1, "the key “description” is missing", "name: Bugs\nbody: []"),
    Refused(1, "the form has no “body”", "name: Bugs\ndescription: d\nbody: []"),
    Refused(3, "“body” must be a list", "name: Bugs\ndescription: d\nbody: text"),
    Refused(
      2, "“description” must be text: put “no” in quotation marks",
      "name: Bugs\ndescription: no\nbody: []"),
    Refused(
      4, "“body” has only Markdown, and nothing to fill in",
      element: "- type: markdown\n  attributes: {value: hi}"),
    Refused(
      5, "body[0].attributes: the key “value” is missing",
      element: "- type: markdown\n  attributes: {}"),
    Refused(4, "body[0]: the key “attributes” is missing", element: "- type: input\n"),
    Refused(4, "body[0]: the key “type” is missing", element: "- attributes: {label: a}\n"),
    Refused(
      4, "body[0]: “entry” is not a type of element: use markdown, input",
      element: "- type: entry\n  attributes: {label: a}"),
    Refused(
      5, "body[0].attributes: the key “label” is missing",
      element: "- type: input\n  attributes: {description: a}"),
    Refused(
      4, "body[0].attributes: the key “options” is missing",
      element: "- {type: dropdown, attributes: {label: a}}"),
    Refused(
      4, "body[0].attributes: “options” is empty",
      element: "- {type: dropdown, attributes: {label: a, options: []}}"),
    Refused(
      4, "body[0].attributes: an option must be text: put “Yes” in quotation marks",
      element: "- {type: dropdown, attributes: {label: a, options: [Yes, No]}}"),
    Refused(
      4, "body[0].attributes.options[0]: the key “label” is missing",
      element: "- {type: checkboxes, attributes: {label: a, options: [{required: true}]}}"),
    Refused(5, "the key “name” occurs twice", "a: b\n\n\n\nname: x\nname: y\n"),
    Refused(2, "found character that cannot start any token", "a: b\nc: @d\n"),
    Refused(3, "mapping values are not allowed", "name: Bugs\ndescription: d\nbody: a: b\n"),
  ]

  @Test(
    "a form that GitHub refuses throws an error with the reason and the line", arguments: refused)
  func refusals(_ refused: Refused) throws {
    let error = try #require(
      throws: TemplateError.self,
      performing: { try IssueForm(parsing: refused.text, fileName: "f.yml") })
    #expect(error.file == "f.yml")
    #expect(error.problem.contains(refused.problem), "\(error)")
    #expect(error.line == refused.line, "\(error)")
  }

  /// A form that is read, but for a part with a problem.
  static let passedOver: [Refused] = [
    Refused(
      3, "“hello” is not a permitted key",
      "name: Bugs\ndescription: d\nhello: 1\nbody: [{type: input, id: x, attributes: {label: a}}]"),
    Refused(
      5, "body[0].attributes: “options” is not a permitted key",
      element: "- type: input\n  attributes: {label: x, options: []}"),
    Refused(
      5, "body[0]: the id “a b” may only have letters, digits, “-” and “_”",
      element: "- type: input\n  id: a b\n  attributes: {label: x}"),
    Refused(
      6, "body[1]: the id “x” isn't unique",
      element:
        "- {type: input, id: x, attributes: {label: a}}\n\n- {type: input, id: x, attributes: {label: b}}"
    ),
    Refused(
      5, "body[1]: the label “X” isn't unique",
      element: "- {type: input, attributes: {label: X}}\n- {type: input, attributes: {label: X}}"),
    Refused(
      6, "body[0].validations: “required” must be true or false",
      element: "- type: input\n  attributes: {label: x}\n  validations: {required: maybe}"),
    Refused(
      4, "body[0].attributes: the option “a” isn't unique",
      element: "- {type: dropdown, attributes: {label: x, options: [a, a]}}"),
    Refused(
      4, "body[0].attributes: the option “None” is reserved",
      element: "- {type: dropdown, attributes: {label: x, options: [None, a]}}"),
    Refused(
      4, "body[0].attributes: an option must be text: put “Yes” in quotation marks",
      element: "- {type: dropdown, attributes: {label: x, options: [Yes, a]}}"),
    Refused(
      4, "body[0].attributes: “default” must be the place of an option",
      element: "- {type: dropdown, attributes: {label: x, options: [a], default: 1}}"),
    Refused(
      4, "body[0]: “entry” is not a type of element",
      element:
        "- {type: entry, attributes: {label: a}}\n- {type: input, id: x, attributes: {label: a}}"),
    Refused(
      4, "body[0].attributes.options[0]: the key “label” is missing",
      element:
        "- {type: checkboxes, id: x, attributes: {label: a, options: [{required: true}, {label: b}]}}"
    ),
  ]

  @Test("an unknown part of a form is reported, and the rest is parsed", arguments: passedOver)
  func leniency(_ refused: Refused) throws {
    let form = try IssueForm(parsing: refused.text, fileName: "f.yml")
    #expect(form.fields.map(\.id) == ["x"])
    let problem = try #require(form.passedOver.first)
    #expect(form.passedOver.count == 1)
    #expect(problem.problem.contains(refused.problem), "\(problem)")
    #expect(problem.line == refused.line, "\(problem)")
  }

  @Test("a default option is found by its index, even after an ignored option")
  func defaultOption() throws {
    let form = try IssueForm(
      parsing: """
        name: Bugs
        description: d
        body:
          - {type: dropdown, id: a, attributes: {label: A, options: [Yes, x, y], default: 1}}
          - {type: dropdown, id: b, attributes: {label: B, options: [Yes, x, y], default: 0}}
        """, fileName: "f.yml")
    #expect(FormAnswers(to: form)["a"] == ["x"])
    #expect(FormAnswers(to: form)["b"].isEmpty)
  }

  @Test("forms accepted by GitHub's page are parsed completely")
  func live() throws {
    let form = try IssueForm(
      parsing: """
        name: Issue
        about: What the first forms called the purpose
        body:
          - type: markdown
            id: introduction
            attributes:
              value: Thanks!
          - type: checkboxes
            id: terms
            attributes:
              options: [{label: I agree}]
          - type: checkboxes
            attributes:
              options: [{label: I read it}]
          - type: input
            attributes: {label: 问题描述}
          - type: input
            attributes: {label: 版本}
        """, fileName: "f.yml")
    #expect(form.passedOver.isEmpty)
    #expect(form.description == "What the first forms called the purpose")
    #expect(form.elements.first == .markdown("Thanks!"))
    #expect(form.fields.map(\.label) == ["terms", "Checkboxes", "问题描述", "版本"])
    #expect(form.fields.map(\.id) == ["terms", "checkboxes", "问题描述", "版本"])
  }

  @Test("a byte order mark or CRLF line breaks don't change a form", arguments: ["\n", "\r\n"])
  func lineBreaks(_ lineBreak: String) throws {
    let text = Self.whole.replacing("\n", with: lineBreak)
    let form = try IssueForm(parsing: "\u{FEFF}" + text, fileName: "bug.yml")
    #expect(form == (try IssueForm(parsing: Self.whole, fileName: "bug.yml")))
  }

  @Test("numeric options become text, and fields with equal labels differ by their IDs")
  func numbers() throws {
    let form = try IssueForm(
      parsing: """
        name: Bugs
        description: d
        body:
          - {type: dropdown, id: a, attributes: {label: Same, options: [1.0, 2]}}
          - {type: input, id: b, attributes: {label: Same}}
        """, fileName: "f.yml")
    #expect(form["a"]?.options == ["1.0", "2"])
  }
}
