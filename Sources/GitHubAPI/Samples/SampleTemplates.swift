internal import HTTPTargets
internal import PlatformModules

/// The issue templates, which are the same in all sample repositories.
enum SampleTemplates {
  private static let folder = ".github/ISSUE_TEMPLATE"

  static let files: [(name: String, text: String)] = [
    (
      "bug.yml",
      """
      name: Bug report
      description: Something doesn't work as documented.
      title: "[Bug]: "
      labels: [bug]
      body:
        - type: markdown
          attributes:
            value: Thank you for taking the time to report it.
        - type: textarea
          id: what-happened
          attributes:
            label: What happened?
            description: Say what you did, too.
          validations:
            required: true
        - type: dropdown
          id: platform
          attributes:
            label: Platform
            multiple: true
            options: [Linux, macOS, Windows]
        - type: textarea
          id: logs
          attributes:
            label: Log
            render: shell
        - type: checkboxes
          id: terms
          attributes:
            label: Before you send it
            options:
              - label: I searched for the same report.
                required: true
      """
    ),
    (
      "config.yml",
      """
      blank_issues_enabled: true
      contact_links:
        - name: Forum
          url: https://forums.swift.org
          about: Ask questions here.
      """
    ),
    (
      "feature.md",
      """
      ---
      name: Feature request
      about: Suggest an idea.
      labels: enhancement
      ---

      **What do you miss?**

      """
    ),
  ]

  static func contents(at path: String) -> SampleAnswer {
    let path = path.split(separator: "/").joined(separator: "/")
    if path == folder {
      return encoded(files.map { Entry(name: $0.name, path: "\(folder)/\($0.name)", $0.text) })
    }
    for file in files where path == "\(folder)/\(file.name)" {
      var entry = Entry(name: file.name, path: path, file.text)
      (entry.encoding, entry.content) = ("base64", Data(file.text.utf8).base64EncodedString())
      return encoded(entry)
    }
    return .notFound
  }

  static func labels(ofTemplate name: String) -> [String] {
    ["Bug report": ["bug"], "Feature request": ["enhancement"]][name] ?? []
  }

  private static func encoded(_ value: some Encodable) -> SampleAnswer {
    (try? SampleAnswer(encoding: value)) ?? .notFound
  }

  private struct Entry: Encodable {
    var type = "file"
    var name: String
    var path: String
    var size: Int
    var encoding: String?
    var content: String?

    init(name: String, path: String, _ text: String) {
      (self.name, self.path, size) = (name, path, text.utf8.count)
    }
  }

  /// The response to the mutation that creates an issue.
  struct Created: Encodable {
    struct List<Node: Encodable>: Encodable { var nodes: [Node] }

    var databaseId: Int64
    var number: Int
    var title: String
    var body: String
    var url: String
    var labels: List<[String: String]>
    var assignees = List<[String: String]>(nodes: [])
    var author: [String: String]

    init(
      databaseId: Int64, number: Int, title: String, body: String, url: String, labels: [String],
      login: String
    ) {
      self.databaseId = databaseId
      self.number = number
      self.title = title
      self.body = body
      self.url = url
      self.labels = List(nodes: labels.map { ["name": $0, "color": "ededed"] })
      author = ["login": login]
    }
  }
}
