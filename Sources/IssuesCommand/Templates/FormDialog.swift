internal import IssueTemplates

/// Asks for the answers to a form.
struct FormDialog {
  let dialog: Dialog
  /// The ids of questions that the command line answers.
  let given: Set<String>
  /// Whether required questions need an answer.
  let isBinding: Bool
  let edit: (_ text: String) async throws -> String
  /// Called with each state of the draft.
  let keep: @Sendable (TemplateDraft) async -> Void

  /// Asks for what isn't given. If the person breaks off, the last state has been kept.
  func fill(_ draft: TemplateDraft, _ answers: FormAnswers) async throws -> TemplateDraft {
    var (draft, answers) = (draft, answers)
    for element in answers.form.elements {
      switch element {
      case .markdown(let text): dialog.show("\n\(text.trimmingBlanks)", true)
      case .field(let field):
        // Complete, except for boxes that have to be ticked.
        if given.contains(field.id), problem(of: field, in: answers) == nil { continue }
        introduce(field, answers[field.id])
        try await ask(field, &answers)
        draft.body = answers.body
        await keep(draft)
      }
    }
    draft.body = answers.body
    return draft
  }

  /// Why an answer won't do.
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
    default: return "An answer is needed."
    }
  }

  private func introduce(_ field: FormField, _ answer: [String]) {
    let mark = field.isRequired && isBinding ? " *" : ""
    dialog.show("\n\(field.label)\(mark)", false)
    if let description = field.description { dialog.show(description.trimmingBlanks, true) }
    switch field.kind {
    case .input(let placeholder?, _), .textarea(let placeholder?, _, _):
      dialog.show("For example: \(placeholder.trimmingBlanks)", true)
    case .dropdown(let options, _, _): list(options) { answer.contains($0) ? " (chosen)" : "" }
    case .checkboxes(let boxes):
      list(boxes.map(\.label)) { label in
        isBinding && boxes.contains { $0.label == label && $0.isRequired } ? " *" : ""
      }
    case .upload(let accepted):
      let kinds = accepted.isEmpty ? "" : " (\(accepted.joined(separator: ", ")))"
      dialog.show("A file can't be sent from here: give a link to it\(kinds).", true)
    case .input, .textarea: break
    }
    if field.options == nil, let text = answer.first {
      dialog.show("Filled in already: \(text.trimmingBlanks)", true)
    }
  }

  private func list(_ options: [String], _ note: (String) -> String) {
    for (index, option) in options.enumerated() {
      dialog.show("  \(index + 1)  \(option)\(note(option))", false)
    }
  }

  private func ask(_ field: FormField, _ answers: inout FormAnswers) async throws {
    let hasAnswer = !answers[field.id].isEmpty
    let rest = hasAnswer ? "Return keeps it" : "Return skips it"
    let isNeeded = problem(of: field, in: answers) != nil
    let prompt =
      switch field.kind {
      case .dropdown(_, let isMultiple, _):
        "\(isMultiple ? "Numbers" : "Number")\(isNeeded ? "" : " (\(rest))"): "
      case .checkboxes: "Numbers of those to tick\(isNeeded ? "" : " (\(rest))"): "
      case .textarea: "One line, or e for the editor\(isNeeded ? "" : " (\(rest))"): "
      case .input, .upload: "\(isNeeded ? "" : "(\(rest)) ")> "
      }
    while true {
      let line = try await dialog.ask(prompt) { $0 }
      do {
        try await take(line, field, &answers)
        guard let problem = problem(of: field, in: answers) else { return }
        dialog.show(problem, false)
      } catch let refusal as Dialog.Refusal {
        dialog.show(refusal.message, false)
      }
    }
  }

  /// A blank line changes nothing.
  private func take(
    _ line: String, _ field: FormField, _ answers: inout FormAnswers
  ) async throws {
    var answer: [String]
    if let options = field.options {
      answer = try Dialog.choices(line, among: options, isMultiple: field.isMultiple)
      // What was ticked before stays: one of several boxes may have been missing.
      if case .checkboxes = field.kind { answer += answers[field.id] }
    } else if case .textarea = field.kind, line.trimmingBlanks == "e" {
      let text = try await edit(answers[field.id].first ?? "")
      answer = [text.trimmingLastLineBreaks]
      // An emptied text takes the answer back.
      if answer[0].isEmpty { return try answers.set(field.id, to: []) }
    } else {
      answer = [line.trimmingBlanks]
    }
    if answer.allSatisfy(\.isEmpty) { return }
    do throws(FormProblem) {
      try answers.set(field.id, to: answer)
    } catch {
      throw Dialog.Refusal(message: "\(error)")
    }
  }
}

extension String {
  /// Editors end files with line breaks.
  fileprivate var trimmingLastLineBreaks: String {
    var rest = Substring(self)
    while rest.last?.isNewline == true { rest.removeLast() }
    return String(rest)
  }
}
