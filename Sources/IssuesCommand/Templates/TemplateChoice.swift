internal import IssueTemplates
internal import StyledText

/// Finds the templates of a repository, and creates an issue from one.
struct TemplateChoice: Sendable {
  private let place: Place
  private let connection: Connection
  private let session: CommandSession
  private let dialog: Dialog
  private let createsLabels: Bool
  /// A function to call with each state of a draft, so that nothing is lost when the user cancels.
  private let keep: @Sendable (TemplateDraft) async -> Void

  init(
    place: Place, connection: Connection, session: CommandSession, dialog: Dialog? = nil,
    createsLabels: Bool = false, keep: @escaping @Sendable (TemplateDraft) async -> Void = { _ in }
  ) {
    self.place = place
    self.connection = connection
    self.session = session
    self.dialog = dialog ?? .onTerminal(of: session, at: place)
    self.createsLabels = createsLabels
    self.keep = keep
  }

  // MARK: Finding

  /// Finds a template by its file name, with or without the extension, or by its name in the list. Without a name, the
  /// user chooses, unless there is only a single `ISSUE_TEMPLATE.md`. Returns nil for an issue without a template.
  func template(named name: String?, asks: Bool) async throws -> TemplateKind? {
    guard let name else { return asks ? try await chosen() : nil }
    let found = try await templates()
    let fitting = found.templates(named: name)
    if fitting.count == 1 { return fitting[0] }
    throw refusal(of: name, fitting, among: found)
  }

  private func templates() async throws(CommandFailure) -> RepositoryTemplates {
    session.progress.update("Looking up the templates of \(place)…")
    defer { session.progress.update("") }
    return try await connection.explaining("the templates of \(place)") {
      provider throws(NetworkError) in
      try await RepositoryTemplates.find(of: place.name, provider: provider)
    }
  }

  private func refusal(
    of name: String, _ fitting: [TemplateKind], among found: RepositoryTemplates
  ) -> CommandFailure {
    if fitting.count > 1 {
      let files = fitting.map(\.fileName).joined(separator: ", ")
      return CommandFailure(
        .usage, "“\(name)” stands for several templates\nName the file: \(files)")
    }
    let broken = found.refused.first {
      $0.file.lowercased() == name.lowercased()
        || $0.file.lowercased().hasPrefix("\(name.lowercased()).")
    }
    if let broken {
      return CommandFailure(.usage, "the template can't be used: \(broken)")
    }
    guard !found.templates.isEmpty else {
      return CommandFailure(.usage, "\(place) has no templates\nLeave --template out.")
    }
    let list = found.templates.map { "\($0.fileName) (\($0.name))" }.joined(separator: ", ")
    return CommandFailure(.usage, "\(place) has no template “\(name)”\nIt has \(list).")
  }

  /// Finds the template of an interrupted draft. Returns nil, with a note, if it isn't available.
  func template(of former: Draft.Template) async throws(CommandFailure) -> TemplateKind? {
    guard let found = try await templatesWithNetwork() else { return nil }
    let template = found.templates.first { $0.fileName == former.file }
    if template == nil {
      session.errors.write(
        "\(place) no longer has the template \(former.file): the text continues without it.")
    }
    return template
  }

  /// The templates. Returns nil, with a note, without a network, because the text can be sent later.
  private func templatesWithNetwork() async throws(CommandFailure) -> RepositoryTemplates? {
    do throws(CommandFailure) {
      return try await templates()
    } catch {
      guard error.isNetworkAway else { throw error }
      session.errors.write("The templates of \(place) can't be looked up: \(error.sentences)")
      return nil
    }
  }

  private func chosen() async throws -> TemplateKind? {
    guard let found = try await templatesWithNetwork() else { return nil }
    for error in found.refused { sayAside("A template can't be used: \(error)") }
    for error in found.configuration.passedOver { sayAside("Skipped: \(error)") }
    guard let first = found.templates.first else { return nil }
    if found.templates.count == 1, case .markdown(let template) = first, template.about.isEmpty {
      return first
    }
    var names = found.templates.map(\.name)
    if try await allowsBlank(found.configuration) { names.append("Blank issue") }
    dialog.say("Templates of \(place):")
    for (index, name) in names.enumerated() {
      let purpose = index < found.templates.count ? ": \(found.templates[index].purpose)" : ""
      dialog.say("\(name)\(purpose)", lead: "  \(index + 1)  ")
    }
    for link in found.configuration.contactLinks {
      dialog.say(
        "Elsewhere: \(link.name): \(link.about) \(link.url)", lead: "  ", style: .faint)
    }
    return try await dialog.ask("Number: ") { line throws(Dialog.Refusal) in
      // Several templates may have the same name, so a number takes precedence.
      let line = line.trimmingBlanks
      let index =
        Int(line).map { $0 - 1 }
        ?? names.firstIndex { $0.lowercased() == line.lowercased() }
      guard let index, names.indices.contains(index) else {
        throw Dialog.Refusal(message: "Use a number from 1 to \(names.count).")
      }
      return index < found.templates.count ? found.templates[index] : nil
    }
  }

  private func sayAside(_ text: String) {
    dialog.say(text, style: .faint)
  }

  /// Whether an issue without a template is allowed. With write access it always is.
  private func allowsBlank(
    _ configuration: TemplateConfiguration
  ) async throws(CommandFailure) -> Bool {
    if configuration.blankIssuesEnabled { return true }
    return try await repository().permissions?.push ?? false
  }

  private func repository() async throws(CommandFailure) -> (
    isPrivate: Bool, permissions: RepositoryPermissions?
  ) {
    let sent = try await connection.explaining("\(place)") { provider throws(NetworkError) in
      try await provider.entity(.repo(fullName: "\(place.name)")) as Sent<GitHub.Repository>
    }
    return (sent.entity.isPrivate, RepositoryPermissions.told(in: sent.json))
  }

  // MARK: Omitted properties

  /// Reports the properties that the server will omit because the user doesn't have push access. The server itself adds
  /// the labels and assignees of the template that the issue names.
  func prepared(
    _ issue: NewIssue, template: TemplateKind? = nil
  ) async throws(CommandFailure) -> (issue: NewIssue, notice: String?) {
    guard !RepositoryPermissions().dropped(from: issue).isEmpty,
      let dropped = try await repository().permissions?.dropped(from: issue), !dropped.isEmpty
    else { return (issue, nil) }
    var (issue, rest) = (issue, dropped)
    if let template, !template.labels.isEmpty || !template.assignees.isEmpty {
      issue.template = template.name
      rest.removeAll { field in
        switch field {
        case .labels: Self.isPart(issue.labels, of: template.labels)
        case .assignees: Self.isPart(issue.assignees, of: template.assignees)
        default: false
        }
      }
    }
    guard !rest.isEmpty else { return (issue, nil) }
    let list = rest.map(\.rawValue).joined(separator: ", ")
    return (
      issue,
      "You may not push to \(place): the server will omit \(list)"
        + (issue.template == nil ? "." : ", except for those of the template.")
    )
  }

  /// Whether all names are among the others, ignoring case.
  private static func isPart(_ names: [String], of others: [String]) -> Bool {
    let others = Set(others.map { $0.lowercased() })
    return names.allSatisfy { others.contains($0.lowercased()) }
  }

  /// The URL of the server's own page, and the parts that don't fit into it.
  func link(
    to template: TemplateKind, title: String?, fields: [(id: String, value: String)]
  ) throws -> TemplateLink {
    let page = place.server.webURL(of: place.name)
    switch template {
    case .markdown(let template):
      try refuse(fields, of: template)
      return TemplateLink(onPage: page, template: template, title: title)
    case .form(let form):
      return TemplateLink(onPage: page, answers: try answers(to: form, fields), title: title)
    }
  }

  // MARK: Filling in

  /// Fills in a template, or resumes an interrupted draft. A repeated ID in `fields` has several answers. `edit` opens
  /// the editor for a part of a form. The text of a Markdown template isn't edited yet.
  func draft(
    of template: TemplateKind, from former: FormerDraft? = nil, title: String?,
    fields: [(id: String, value: String)], asks: Bool,
    edit: @escaping (_ text: String) async throws -> String
  ) async throws -> TemplateDraft {
    guard asks || title != nil else {
      throw CommandFailure(.usage, "the issue needs a title: -t TITLE")
    }
    let title = title ?? former?.title
    for error in template.passedOver { sayAside("Skipped: \(error)") }
    var draft = TemplateDraft(
      title: title ?? template.title ?? "", body: "", labels: await labels(of: template),
      assignees: template.assignees, type: template.type,
      template: Draft.Template(file: template.fileName))
    var answers: FormAnswers?
    switch template {
    case .markdown(let text):
      try refuse(fields, of: text)
      draft.body = former?.text ?? text.body
    case .form(let form):
      var given = FormAnswers(to: form)
      draft.template.answers = [:]
      // An option of the form may have been removed. Its question is then asked again.
      for (id, answer) in former?.answers ?? [:] where (try? given.set(id, to: answer)) != nil {
        draft.template.answers?[id] = answer
      }
      try set(fields, in: &given)
      for field in fields { draft.template.answers?[field.id] = given[field.id] }
      draft.body = given.body
      if let former, former.answers == nil {
        (draft.body, draft.template.answers) = (former.text, nil)
      }
      if !asks { try await require(given.missing) }
      answers = given
    }
    guard asks else { return draft }
    if title == nil { draft.title = try await askForTitle(template.title ?? "") }
    await keep(draft)
    guard let answers else { return draft }
    return try await FormDialog(
      dialog: dialog, server: place.server, isBinding: try await isBinding(answers), edit: edit,
      keep: keep
    ).fill(draft, answers)
  }

  struct FormerDraft {
    let title: String?
    let text: String
    let answers: [String: [String]]?
  }

  /// The template's labels that exist in the repository, because GitHub's own form doesn't create labels
  /// (<https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms>).
  /// Returns all labels if they can't be looked up.
  private func labels(of template: TemplateKind) async -> [String] {
    if createsLabels { return template.labels }
    if connection.provider.forge != .gitHub {
      guard let known = try? await connection.provider.labels(of: place.name) else {
        return template.labels
      }
      let names = Set(known.map { $0.name.lowercased() })
      return withoutAbsent(
        template, Set(template.labels.filter { !names.contains($0.lowercased()) }))
    }
    let absent = await withTaskGroup(of: String?.self) { group in
      for name in Set(template.labels) {
        group.addTask {
          do throws(NetworkError) {
            let fullName = "\(place.name)"
            _ = try await connection.provider.request(
              .label(repositoryFullName: fullName, name: name))
            return nil
          } catch {
            return error.response?.status == .notFound ? name : nil
          }
        }
      }
      return await group.reduce(into: Set<String>()) { if let name = $1 { $0.insert(name) } }
    }
    return withoutAbsent(template, absent)
  }

  private func withoutAbsent(_ template: TemplateKind, _ absent: Set<String>) -> [String] {
    for name in absent.sorted() {
      sayAside("\(place) has no label “\(name)”, which the template names.")
    }
    return template.labels.filter { !absent.contains($0) }
  }

  private func askForTitle(_ prefix: String) async throws -> String {
    try await dialog.ask("Title: \(prefix)") { line throws(Dialog.Refusal) in
      let title = line.trimmingBlanks
      guard !title.isEmpty else { throw Dialog.Refusal(message: "The issue needs a title.") }
      return prefix + title
    }
  }

  /// Whether required questions must be answered. In private repositories they needn't be.
  private func isBinding(_ answers: FormAnswers) async throws -> Bool {
    guard !answers.missing.isEmpty else { return true }
    return try await !repository().isPrivate
  }

  private func require(_ missing: [FormProblem]) async throws {
    guard !missing.isEmpty, try await !repository().isPrivate else { return }
    let list = missing.map { "\n  \($0)" }.joined()
    throw CommandFailure(.usage, "the form isn't filled in: --field ID=ANSWER\(list)")
  }

  private func refuse(
    _ fields: [(id: String, value: String)], of template: IssueTemplate
  ) throws(CommandFailure) {
    guard let field = fields.first else { return }
    throw CommandFailure(
      .usage, "\(template.fileName) isn't a form: it has no field “\(field.id)”\nUse --body.")
  }

  private func answers(
    to form: IssueForm, _ fields: [(id: String, value: String)]
  ) throws(CommandFailure) -> FormAnswers {
    var answers = FormAnswers(to: form)
    try set(fields, in: &answers)
    return answers
  }

  private func set(
    _ fields: [(id: String, value: String)], in answers: inout FormAnswers
  ) throws(CommandFailure) {
    var values: [String: [String]] = [:]
    for field in fields { values[field.id, default: []].append(field.value) }
    for id in values.keys.sorted() {
      var answer = values[id] ?? []
      do {
        if case .upload(let accepted)? = answers.form[id]?.kind {
          let reader = UploadAnswer(accepted: accepted, server: place.server)
          answer = try answer.map { $0.allSatisfy(\.isWhitespace) ? $0 : try reader.markdown($0) }
        }
        try answers.set(id, to: answer)
      } catch let refusal as Dialog.Refusal {
        throw CommandFailure(.usage, "\(answers.form.fileName): “\(id)”: \(refusal.message)")
      } catch {
        throw CommandFailure(.usage, "\(answers.form.fileName): \(error)")
      }
    }
  }
}
