import ArgumentParser
import ConcurrencyPrimitives
import IssueTemplates
import IssueTracker
import StyledText
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("The choice and completion of a template", .timeLimit(.minutes(5)))
struct TemplateChoiceTests {
  private static let form = """
    name: Bug report
    description: Something is broken
    title: "[Bug]: "
    labels: [bug, crash]
    assignees: ada
    type: Bug
    body:
      - type: markdown
        attributes: {value: "Thank you!"}
      - type: input
        id: version
        attributes: {label: Version, placeholder: "6.2"}
        validations: {required: true}
      - type: textarea
        id: log
        attributes: {label: Log, render: shell}
      - type: dropdown
        id: platform
        attributes: {label: Platform, multiple: true, options: [Linux, macOS, Windows]}
      - type: checkboxes
        id: terms
        attributes:
          label: Terms
          options: [{label: I agree, required: true}, {label: I read it}]
    """
  private static let text = "---\nname: Feature\nabout: An idea\nlabels: idea\n---\n\nWhy?\n"
  private static let files = [
    ".github/ISSUE_TEMPLATE/bug.yml": form, ".github/ISSUE_TEMPLATE/feature.md": text,
  ]

  /// A repository with templates, a user at the terminal with these answers, and the text on the screen.
  private struct Scene: Sendable {
    let choice: TemplateChoice
    let shown: Locked<String>
    let kept: Locked<[TemplateDraft]>
    private let answers: Locked<[String]>

    init(_ server: LoopbackServer, answers: [String], name: String = "o/r") async throws {
      let session = CommandSession(unheard: ["GH_ENTERPRISE_TOKEN": "t0ken"])
      let options = try await AuthStatusCommand.asyncParse(["--api-url", server.url, "--no-cache"])
        .connection
      let place = Place(
        name: try #require(RepositoryName(name)), server: try GitHubServer(apiURL: server.url))
      let (rest, shown, kept) = (Locked(answers), Locked(""), Locked<[TemplateDraft]>([]))
      (self.answers, self.shown, self.kept) = (rest, shown, kept)
      choice = TemplateChoice(
        place: place, connection: try await options.connection(to: place.server, session),
        session: session,
        dialog: Dialog(renderer: Dialog.onTerminal(of: session, at: place).renderer) { lines in
          shown.withLock { shown in for line in lines { shown += "\(line.plain)\n" } }
        } line: { prompt in
          shown.withLock { $0 += prompt }
          return rest.withLock { answers in
            answers.isEmpty ? nil : answers.removeFirst()
          }
        },
        keep: { draft in kept.withLock { $0.append(draft) } })
    }

    var screen: String { shown.withLock { $0 } }
    var unusedAnswers: [String] { answers.withLock { $0 } }
  }

  private func withScene(
    answers: [String] = [], files: [String: String] = files, isPrivate: Bool = false,
    permission: LoopbackPermission = .admin, perform: (Scene) async throws -> Void
  ) async throws {
    var repository = LoopbackRepository(
      id: 1, owner: "o", name: "r", isPrivate: isPrivate, issues: SyntheticIssues(count: 1))
    repository.files = files
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [repository]
    configuration.permission = permission
    configuration.tellsPermissions = true
    let github = LoopbackGitHub(configuration)
    try await withLoopbackServer(answering: github.handler) { server in
      try await perform(try await Scene(server, answers: answers))
    }
  }

  private func failure(_ body: () async throws -> Void) async throws -> CommandFailure {
    try #require(await #expect(throws: CommandFailure.self) { try await body() })
  }

  private static func noEditor(_ text: String) async throws -> String {
    throw CommandFailure(.failed, "no editor is wanted")
  }

  @Test("a template is selected by its file's or its own name; an unknown one lists the others")
  func named() async throws {
    try await withScene { scene in
      for name in ["bug", "BUG.YML", "Bug report"] {
        #expect(try await scene.choice.template(named: name, asks: false)?.fileName == "bug.yml")
      }
      let unknown = try await failure {
        _ = try await scene.choice.template(named: "nope", asks: false)
      }
      #expect(unknown.status == .usage)
      #expect(
        unknown.message.hasSuffix(
          "/o/r has no template “nope”\nIt has bug.yml (Bug report), feature.md (Feature)."))
      #expect(try await scene.choice.template(named: nil, asks: false) == nil)
    }
    try await withScene(files: [".github/ISSUE_TEMPLATE/bug.yml": "name: Bugs"]) { scene in
      let broken = try await failure {
        _ = try await scene.choice.template(named: "bug", asks: false)
      }
      #expect(
        broken.message == "the template can't be used: bug.yml:1: the key “description” is missing")
    }
    try await withScene(files: [:]) { scene in
      let none = try await failure {
        _ = try await scene.choice.template(named: "bug", asks: false)
      }
      #expect(none.message.contains("has no templates\nLeave --template out."))
      let blank = try await scene.choice.template(named: nil, asks: true)
      #expect(blank == nil)
      #expect(scene.screen.isEmpty)
    }
  }

  @Test("the list of templates includes blank issues and contact links")
  func list() async throws {
    var files = Self.files
    files[".github/ISSUE_TEMPLATE/config.yml"] =
      "contact_links: [{name: Forum, url: https://forums.example, about: Ask here}]"
    try await withScene(answers: ["", "9", "x", "2"], files: files) { scene in
      let chosen = try await scene.choice.template(named: nil, asks: true)
      #expect(chosen?.fileName == "feature.md")
      let again = "Number: Use a number from 1 to 3.\n"
      #expect(
        scene.screen.hasSuffix(
          """
            1  Bug report: Something is broken
            2  Feature: An idea
            3  Blank issue
            Elsewhere: Forum: Ask here https://forums.example
          \(again)\(again)\(again)Number: 
          """))
    }
    try await withScene(answers: ["3"], files: files) { scene in
      let blank = try await scene.choice.template(named: nil, asks: true)
      #expect(blank == nil)
    }
    files[".github/ISSUE_TEMPLATE/bug.md"] = Self.text.replacing("Feature", with: "Bug report")
    try await withScene(answers: ["2"], files: files) { scene in
      let second = try await scene.choice.template(named: nil, asks: true)
      #expect(second?.fileName == "bug.md")
    }
    // Ctrl-D.
    try await withScene { scene in
      let failure = try await failure {
        _ = try await scene.choice.template(named: nil, asks: true)
      }
      #expect(failure.status == .cancelled)
    }
  }

  @Test(
    "the list has no blank issue if only users with write access may open one",
    arguments: [(LoopbackPermission.read, false), (.write, true)])
  func noBlank(_ permission: LoopbackPermission, _ isOffered: Bool) async throws {
    var files = Self.files
    files[".github/ISSUE_TEMPLATE/config.yml"] = "blank_issues_enabled: false"
    try await withScene(answers: ["1"], files: files, permission: permission) { scene in
      let chosen = try await scene.choice.template(named: nil, asks: true)
      #expect(chosen?.fileName == "bug.yml")
      #expect(scene.screen.contains("Blank issue") == isOffered)
    }
  }

  @Test("a script fills in a form by its fields")
  func fields() async throws {
    try await withScene { scene in
      let form = try #require(try await scene.choice.template(named: "bug", asks: false))
      func draft(_ title: String?, _ fields: [(id: String, value: String)]) async throws
        -> TemplateDraft
      {
        try await scene.choice.draft(
          of: form, title: title, fields: fields, asks: false, edit: Self.noEditor)
      }
      let draft1 = try await draft(
        "It crashes",
        [
          ("version", "6.2"), ("platform", "macos"), ("platform", "Linux"), ("log", "a\nb"),
          ("terms", "I agree"),
        ])
      #expect(
        draft1.issue
          == NewIssue(
            title: "It crashes",
            body: """
              ### Version

              6.2

              ### Log

              ```shell
              a
              b
              ```

              ### Platform

              Linux, macOS

              ### Terms

              - [x] I agree
              - [ ] I read it
              """, labels: ["bug"], assignees: ["ada"], type: "Bug"))
      #expect(scene.screen.hasSuffix("/o/r has no label “crash”, which the template names.\n"))
      let untitled = try await failure { _ = try await draft(nil, [("version", "6.2")]) }
      #expect(untitled.status == .usage && untitled.message.contains("-t TITLE"))
      let missing = try await failure { _ = try await draft("t", []) }
      #expect(
        missing.message == """
          the form isn't filled in: --field ID=ANSWER
            “version” requires an answer (Version)
            “terms” requires a tick at “I agree”
          """)
      let unknown = try await failure { _ = try await draft("t", [("x", "y")]) }
      #expect(
        unknown.message
          == "bug.yml: the form has no field “x”; it has version, log, platform, terms")
    }
    // Required questions are required in public repositories only.
    try await withScene(isPrivate: true) { scene in
      let form = try #require(try await scene.choice.template(named: "bug", asks: false))
      let draft = try await scene.choice.draft(
        of: form, title: "t", fields: [], asks: false, edit: Self.noEditor)
      #expect(draft.body.hasPrefix("### Version\n\n_No response_\n\n### Log\n\n```shell\n\n```"))
    }
  }

  @Test("a form on a terminal asks again after an invalid answer")
  func dialog() async throws {
    let answers = [
      "", "It crashes", "", "6.2", "e", "1,4", "3, linux", "2", "1", "s",
    ]
    try await withScene(answers: answers) { scene in
      let form = try #require(try await scene.choice.template(named: "bug", asks: false))
      let draft = try await scene.choice.draft(of: form, title: nil, fields: [], asks: true) {
        #expect($0.isEmpty)
        return "line one\nline two\n"
      }
      #expect(scene.unusedAnswers.isEmpty)
      #expect(draft.title == "[Bug]: It crashes")
      #expect(
        draft.body == """
          ### Version

          6.2

          ### Log

          ```shell
          line one
          line two
          ```

          ### Platform

          Linux, Windows

          ### Terms

          - [x] I agree
          - [x] I read it
          """)
      for text in [
        "Title: [Bug]: The issue needs a title.\n", "\nThank you!\n", "\nVersion *\n",
        "For example: 6.2\n> An answer is required.\n> ", "\nPlatform\n  1  Linux\n",
        "Use numbers from 1 to 3, separated by commas.\n", "  1  I agree *\n  2  I read it\n",
        "Tick this one too: I agree\n",
      ] {
        #expect(scene.screen.contains(text), "\(text) isn't in \(scene.screen)")
      }
      #expect(scene.kept.withLock { $0.last } == draft)
    }
  }

  @Test("answers are kept when a form is interrupted")
  func brokenOff() async throws {
    try await withScene(answers: ["6.2"]) { scene in
      let form = try #require(try await scene.choice.template(named: "bug", asks: false))
      let failure = try await failure {
        _ = try await scene.choice.draft(
          of: form, title: "t", fields: [], asks: true, edit: Self.noEditor)
      }
      #expect(failure.status == .cancelled)
      let kept = try #require(scene.kept.withLock { $0.last })
      #expect(kept.title == "t" && kept.body.hasPrefix("### Version\n\n6.2\n\n### Log"))
    }
  }

  @Test("values from the command line aren't asked again")
  func given() async throws {
    try await withScene(answers: ["", "", "s"]) { scene in
      let form = try #require(try await scene.choice.template(named: "bug", asks: false))
      let draft = try await scene.choice.draft(
        of: form, title: "t", fields: [("version", "6.2"), ("terms", "i agree")], asks: true,
        edit: Self.noEditor)
      #expect(!scene.screen.contains("Version *") && !scene.screen.contains("\nTerms\n"))
      #expect(draft.body.contains("- [x] I agree\n- [ ] I read it"))
    }
  }

  private static func draft(
    _ scene: Scene, from former: TemplateChoice.FormerDraft? = nil, title: String? = "t",
    edit: @escaping (String) async throws -> String = noEditor
  ) async throws -> TemplateDraft {
    let form = try #require(try await scene.choice.template(named: "bug", asks: false))
    return try await scene.choice.draft(
      of: form, from: former, title: title, fields: [], asks: true, edit: edit)
  }

  @Test("an interrupted form continues with the unanswered questions")
  func resumed() async throws {
    let kept = Locked<TemplateDraft?>(nil)
    // Breaks off at the platform, and skips the log.
    try await withScene(answers: ["It crashes", "6.2", ""]) { scene in
      let failure = try await failure { _ = try await Self.draft(scene, title: nil) }
      #expect(failure.status == .cancelled)
      kept.withLock { $0 = scene.kept.withLock { $0.last } }
    }
    let first = try #require(kept.withLock { $0 })
    #expect(first.template.file == "bug.yml")
    #expect(first.template.answers == ["version": ["6.2"], "log": []])
    try await withScene(answers: ["1", "1", "s"]) { scene in
      let former = TemplateChoice.FormerDraft(
        title: first.title, text: first.body, answers: first.template.answers)
      let draft = try await Self.draft(scene, from: former, title: nil)
      #expect(!scene.screen.contains("Title: ") && !scene.screen.contains("Version *"))
      #expect(!scene.screen.contains("\nLog\n") && scene.screen.contains("\nPlatform\n"))
      #expect(draft.title == "[Bug]: It crashes" && draft.labels == ["bug"])
      #expect(draft.body.hasPrefix("### Version\n\n6.2\n\n### Log"))
      #expect(
        draft.body.hasSuffix("### Platform\n\nLinux\n\n### Terms\n\n- [x] I agree\n- [ ] I read it")
      )
    }
    // Required questions are asked even if nothing was answered.
    try await withScene(answers: [""]) { scene in
      let former = TemplateChoice.FormerDraft(title: "t", text: "", answers: [:])
      let failure = try await failure { _ = try await Self.draft(scene, from: former) }
      #expect(failure.status == .cancelled && scene.screen.contains("An answer is required."))
    }
  }

  @Test("a completed form is shown before it is sent, and any part can be changed")
  func review() async throws {
    let answers = [
      "6.2", "", "2", "1,2", "", "1", "6.3", "3", "-", "4", "1", "t", "Another", "e", "s",
    ]
    try await withScene(answers: answers) { scene in
      let draft = try await Self.draft(scene) { "\($0)\n\nMore.\n" }
      #expect(scene.unusedAnswers.isEmpty)
      #expect(draft.title == "Another")
      #expect(
        draft.body == """
          ### Version

          6.3

          ### Log

          ```shell

          ```

          ### Platform

          _No response_

          ### Terms

          - [x] I agree
          - [ ] I read it

          More.
          """)
      #expect(draft.template.answers == nil)
      #expect(scene.kept.withLock { $0.last } == draft)
      #expect(scene.screen.contains("Your issue:\n\nt\nLabels: bug\n\n1  Version\n   6.2\n"))
      #expect(scene.screen.contains("Answer s to send it, or q to leave and keep it."))
      #expect(scene.screen.contains("  2  I read it (ticked)\n"))
    }
    // A text that was edited as such is shown at once.
    try await withScene(answers: ["q"]) { scene in
      let former = TemplateChoice.FormerDraft(title: "t", text: "A *whole* text", answers: nil)
      let failure = try await failure { _ = try await Self.draft(scene, from: former) }
      #expect(failure.status == .cancelled)
      #expect(scene.screen.contains("A whole text\n"))
      #expect(!scene.screen.contains("Version") && !scene.screen.contains("a number"))
    }
  }

  @Test("the texts of a form are laid out, and unsupported elements are named")
  func layout() async throws {
    let text = "Read the **[guide](https://example.com/guide)** first. "
    let form = """
      name: Bug report
      description: d
      projects: [o/1]
      extra: 1
      body:
        - type: markdown
          attributes:
            value: "\(String(repeating: text, count: 5))"
        - type: checkboxes
          id: terms
          attributes:
            label: Terms
            options: [{label: "I *agree* to `this`", required: true}]
      """
    try await withScene(answers: ["1", "s"], files: [".github/ISSUE_TEMPLATE/bug.yml": form]) {
      scene in
      _ = try await Self.draft(scene)
      let lines = scene.screen.split(separator: "\n")
      #expect(lines.contains("Skipped: bug.yml:4: “extra” is not a permitted key"))
      #expect(lines.contains("  1  I agree to this *"))
      let guide = lines.filter { $0.hasPrefix("Read") || $0.contains("guide[1]") }
      #expect(guide.count > 1 && !scene.screen.contains("**"))
      #expect(lines.allSatisfy { $0.count <= 80 || $0.contains("Send it?") })
      #expect(lines.allSatisfy { !$0.hasSuffix("gui") && !$0.hasSuffix("fir") })
    }
  }

  @Test("a Markdown template starts with its text, and continues with the user's draft")
  func markdown() async throws {
    try await withScene { scene in
      let template = try #require(try await scene.choice.template(named: "feature", asks: false))
      let draft = try await scene.choice.draft(
        of: template, title: "t", fields: [], asks: true, edit: Self.noEditor)
      #expect(draft.body == "Why?\n" && draft.labels.isEmpty)
      #expect(scene.kept.withLock { $0.last } == draft)
      let former = TemplateChoice.FormerDraft(title: "t", text: "Because.", answers: nil)
      let next = try await scene.choice.draft(
        of: template, from: former, title: nil, fields: [], asks: true, edit: Self.noEditor)
      #expect(next.title == "t" && next.body == "Because.")
      let plain = try await scene.choice.draft(
        of: template, title: "t", fields: [], asks: false, edit: Self.noEditor)
      #expect(plain.body == "Why?\n")
      let failure = try await failure {
        _ = try await scene.choice.draft(
          of: template, title: "t", fields: [("a", "b")], asks: false, edit: Self.noEditor)
      }
      #expect(failure.message.contains("feature.md isn't a form"))
    }
  }

  @Test("values that the server will drop are announced to users without push access")
  func notice() async throws {
    let issue = NewIssue(title: "t", labels: ["bug"], type: "Bug")
    try await withScene(permission: .triage) { scene in
      let form = try #require(try await scene.choice.template(named: "bug", asks: false))
      let plain = try await scene.choice.prepared(issue)
      #expect(plain.issue == issue)
      #expect(plain.notice?.hasSuffix("/o/r: the server will omit labels, type.") == true)
      // The server adds the template's values.
      let templated = try await scene.choice.prepared(issue, template: form)
      #expect(templated.issue.template == "Bug report")
      #expect(templated.notice?.contains("omit type, except for those of the template.") == true)
      let own = NewIssue(title: "t", labels: ["BUG"], assignees: ["ada"])
      let taken = try await scene.choice.prepared(own, template: form)
      #expect(taken.issue.template == "Bug report" && taken.notice == nil)
      let others = NewIssue(title: "t", labels: ["bug", "other"])
      #expect(
        try await scene.choice.prepared(others, template: form).notice?.contains("labels") == true)
      let bare = try await scene.choice.prepared(NewIssue(title: "t"), template: form)
      #expect(bare.issue.template == nil && bare.notice == nil)
    }
    try await withScene(permission: .write) { scene in
      let form = try #require(try await scene.choice.template(named: "bug", asks: false))
      let prepared = try await scene.choice.prepared(issue, template: form)
      #expect(prepared.issue == issue && prepared.notice == nil)
    }
  }

  @Test("the link to GitHub's page includes the answers that the page accepts")
  func link() async throws {
    try await withScene { scene in
      let form = try #require(try await scene.choice.template(named: "bug", asks: false))
      let link = try scene.choice.link(
        to: form, title: "A & B", fields: [("version", "6.2"), ("terms", "I agree")])
      #expect(
        link.url.hasSuffix("/o/r/issues/new?template=bug.yml&title=A%20%26%20B&version=6.2"))
      #expect(link.leftOut == ["terms"])
    }
  }
}
