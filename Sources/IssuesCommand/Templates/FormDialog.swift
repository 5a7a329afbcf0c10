internal import IssueTemplates
internal import IssueTracker
internal import StyledText

/// Asks for the answers to a form, and shows the resulting issue until the user confirms it.
struct FormDialog {
  let dialog: Dialog
  let server: GitHubServer
  /// Whether required questions must be answered.
  let isBinding: Bool
  let edit: (_ text: String) async throws -> String
  /// A function to call with each state of the draft.
  let keep: @Sendable (TemplateDraft) async -> Void

  /// Asks for the missing answers of the draft. If the user cancels, the last state has already been saved.
  func fill(_ draft: TemplateDraft, _ answers: FormAnswers) async throws -> TemplateDraft {
    // Text that was edited directly is no longer a form.
    guard let known = draft.template.answers else { return try await review(draft, nil) }
    var (draft, answers) = (draft, answers)
    var texts: [String] = []
    for element in answers.form.elements {
      switch element {
      case .markdown(let text): texts.append(text)
      case .field(let field):
        // The answers are complete, except for checkboxes that must be checked.
        if known[field.id] != nil, problem(of: field, in: answers) == nil { continue }
        show(texts)
        texts = []
        try await ask(field, &answers)
        draft.take(answers, to: field)
        await keep(draft)
      }
    }
    show(texts)
    return try await review(draft, answers)
  }

  private func show(_ texts: [String]) {
    for text in texts {
      dialog.say("")
      dialog.sayMarkdown(text)
    }
  }

  /// Shows the whole issue after each change. `answers` is nil for free text.
  private func review(
    _ draft: TemplateDraft, _ answers: FormAnswers?
  ) async throws -> TemplateDraft {
    var (draft, answers) = (draft, answers)
    while true {
      show(draft, answers)
      switch try await decision(answers) {
      case .send: return draft
      case .leave: throw CommandFailure(.cancelled, "")
      case .title:
        let title = try await dialog.ask("Title (Return keeps it): ") { $0.trimmingBlanks }
        if !title.isEmpty { draft.title = title }
      case .answer(let field):
        guard var changed = answers else { break }
        try await ask(field, &changed)
        draft.take(changed, to: field)
        answers = changed
      case .text:
        do {
          let text = try await edit(draft.body).trimmingLastLineBreaks
          if text == draft.body || text.isEmpty { break }
          draft.body = text
          (draft.template.answers, answers) = (nil, nil)
        } catch let refusal as Dialog.Refusal {
          dialog.say(refusal.message)
        }
      }
      await keep(draft)
    }
  }

  private func show(_ draft: TemplateDraft, _ answers: FormAnswers?) {
    dialog.say("\nYour issue:\n\n\(draft.title)", style: .heading)
    if !draft.labels.isEmpty {
      dialog.say("Labels: \(draft.labels.joined(separator: ", "))", style: .faint)
    }
    guard let answers else {
      dialog.say("")
      return dialog.sayMarkdown(draft.body)
    }
    for (index, field) in answers.form.fields.enumerated() {
      let lead = "\(index + 1)  "
      dialog.say("")
      dialog.say(field.label, lead: lead, style: .heading)
      dialog.sayMarkdown(
        answers.text(of: field), lead: String(repeating: " ", count: lead.count))
    }
  }

  private enum Decision {
    case send
    case title
    case answer(FormField)
    case text
    case leave
  }

  private func decision(_ answers: FormAnswers?) async throws -> Decision {
    let fields = answers?.form.fields ?? []
    let change = fields.isEmpty ? "" : "a number to change an answer, "
    dialog.say("")
    return try await dialog.ask(
      "Send it? [s]end, \(change)[t]itle, [e]dit, [q]uit: "
    ) { line throws(Dialog.Refusal) in
      let word = line.trimmingBlanks.lowercased()
      switch word {
      case "s", "send": return .send
      case "t", "title": return .title
      case "e", "edit": return .text
      case "q", "quit": return .leave
      default:
        guard let number = Int(word), fields.indices.contains(number - 1) else {
          throw Dialog.Refusal(message: "Answer s to send it, or q to leave and keep it.")
        }
        return .answer(fields[number - 1])
      }
    }
  }

  /// The reason that an answer isn't valid.
  private func problem(of field: FormField, in answers: FormAnswers) -> String? {
    guard isBinding else { return nil }
    let problem = answers.missing.first {
      switch $0 {
      case .unanswered(let other), .unticked(_, let other): other.id == field.id
      default: false
      }
    }
    switch problem {
    case .unticked(let label, _)?: return "Tick this one too: \(label)"
    case nil: return nil
    default: return "An answer is required."
    }
  }

  private func introduce(_ field: FormField, _ answer: [String]) {
    let mark = field.isRequired && isBinding ? " *" : ""
    dialog.say("\n\(field.label)\(mark)", style: .heading)
    if let description = field.description { dialog.sayMarkdown(description) }
    switch field.kind {
    case .input(let placeholder?, _), .textarea(let placeholder?, _, _):
      dialog.say("For example: \(placeholder.trimmingBlanks)", style: .faint)
    case .dropdown(let options, _, _):
      for (index, option) in options.enumerated() {
        dialog.say(
          option + (answer.contains(option) ? " (chosen)" : ""), lead: "  \(index + 1)  ")
      }
    case .checkboxes(let boxes):
      for (index, box) in boxes.enumerated() {
        let mark = isBinding && box.isRequired ? " \\*" : ""
        let state = answer.contains(box.label) ? " (ticked)" : ""
        dialog.sayMarkdown(box.label.trimmingBlanks + mark + state, lead: "  \(index + 1)  ")
      }
    case .upload(let accepted):
      let kinds = accepted.isEmpty ? "" : " (\(accepted.joined(separator: ", ")))"
      dialog.say("Files\(kinds), or links to them.", style: .faint)
    case .input, .textarea: break
    }
    if field.options == nil, !answer.isEmpty {
      let text = answer.map(\.trimmingBlanks).joined(separator: ", ")
      dialog.say("Already filled in: \(text)", style: .faint)
    }
  }

  private func ask(_ field: FormField, _ answers: inout FormAnswers) async throws {
    introduce(field, answers[field.id])
    let former = answers[field.id]
    let rest =
      former.isEmpty
      ? "Return skips it" : field.isRequired ? "Return keeps it" : "Return keeps it, - removes it"
    let isNeeded = problem(of: field, in: answers) != nil
    let prompt =
      switch field.kind {
      case .dropdown(_, let isMultiple, _):
        "\(isMultiple ? "Numbers" : "Number")\(isNeeded ? "" : " (\(rest))"): "
      case .checkboxes: "Numbers of those to tick\(isNeeded ? "" : " (\(rest))"): "
      case .textarea: "One line, or e for the editor\(isNeeded ? "" : " (\(rest))"): "
      case .upload: "Paths, separated by commas\(isNeeded ? "" : " (\(rest))"): "
      case .input: "\(isNeeded ? "" : "(\(rest)) ")> "
      }
    var ticked: [String] = []
    while true {
      let line = try await dialog.ask(prompt) { $0.trimmingBlanks }
      do {
        if line == "-", !former.isEmpty, !field.isRequired {
          try answers.set(field.id, to: [])
        } else {
          try await take(line, field, &answers, ticked: ticked)
        }
        guard let problem = problem(of: field, in: answers) else { return }
        // If a required checkbox is missing, the checked ones stay checked.
        if case .checkboxes = field.kind { ticked = answers[field.id] }
        dialog.say(problem)
      } catch let refusal as Dialog.Refusal {
        dialog.say(refusal.message)
      }
    }
  }

  /// Reads an answer. An empty line doesn't change anything.
  private func take(
    _ line: String, _ field: FormField, _ answers: inout FormAnswers, ticked: [String]
  ) async throws {
    var answer: [String]
    if let options = field.options {
      answer = try Dialog.choices(line, among: options, isMultiple: field.isMultiple)
      if !answer.isEmpty { answer += ticked }
    } else if case .textarea = field.kind, line == "e" {
      let text = try await edit(answers[field.id].first ?? "")
      answer = [text.trimmingLastLineBreaks]
      // Emptied text removes the answer.
      if answer[0].isEmpty { return try answers.set(field.id, to: []) }
    } else if case .upload(let accepted) = field.kind {
      answer = try UploadAnswer(accepted: accepted, server: server).values(in: line)
    } else {
      answer = [line]
    }
    if answer.allSatisfy(\.isEmpty) { return }
    do throws(FormProblem) {
      try answers.set(field.id, to: answer)
    } catch {
      throw Dialog.Refusal(message: "\(error)")
    }
  }
}

extension TemplateDraft {
  /// Records an answer, even an empty one, so that its question isn't asked again.
  mutating func take(_ answers: FormAnswers, to field: FormField) {
    body = answers.body
    template.answers?[field.id] = answers[field.id]
  }
}

extension String {
  /// The text without trailing line breaks, with which editors end files.
  fileprivate var trimmingLastLineBreaks: String {
    var rest = Substring(self)
    while rest.last?.isNewline == true { rest.removeLast() }
    return String(rest)
  }
}
