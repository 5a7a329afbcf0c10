internal import IssueBrowser
internal import IssueTracker
internal import StyledText
internal import TerminalMarkdown

/// A dialog with a user on standard error, line by line.
struct Dialog: Sendable {
  /// The renderer, which lays out text like pages of issues.
  let renderer: MarkdownRenderer
  let show: @Sendable (_ lines: [StyledLine]) -> Void
  /// Reads a line; nil at the end of the input.
  let line: @Sendable (_ prompt: String) async -> String?

  static func onTerminal(of session: CommandSession, at place: Place) -> Dialog {
    let style = session.style
    let look = Look(colors: style.color)
    var renderer = MarkdownRenderer(
      width: style.width, links: session.showsHyperlinks ? .hyperlinks : .footnotes,
      repositoryURL: place.server.webURL(of: place.name))
    renderer.hasStrikethrough = style.color > .none
    renderer.hasStyles = style.color > .none
    renderer.styles = look.markdown
    return Dialog(renderer: renderer) { lines in
      session.errors.write(lines, links: session.showsHyperlinks)
    } line: { prompt in
      await Question.line(after: prompt)
    }
  }

  /// Shows text wrapped at words. The lead begins the first line, and the other lines are indented by its width.
  func say(_ text: String, lead: String = "", style: Style = .plain) {
    let indent = indent(below: lead)
    show(
      text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        .flatMap { number, line in
          StyledLine(line, style: style).wrapped(
            to: renderer.width, indent: number == 0 ? StyledLine(lead) : indent,
            hangingIndent: indent)
        })
  }

  /// Shows Markdown text.
  func sayMarkdown(_ text: String, lead: String = "") {
    let indent = indent(below: lead)
    var renderer = renderer
    renderer.width = max(1, renderer.width - indent.columns)
    let lines = renderer.document(of: text).lines
    show(
      lines.enumerated().map { number, line in
        StyledLine(runs: (number == 0 ? StyledLine(lead) : indent).runs + line.runs)
      })
  }

  private func indent(below lead: String) -> StyledLine {
    StyledLine(String(repeating: " ", count: StyledLine(lead).columns))
  }

  /// Asks until `read` accepts an answer. A ``Refusal`` is shown.
  func ask<Value>(
    _ prompt: String, _ read: (String) async throws -> Value
  ) async throws -> Value {
    while true {
      guard let line = await line(prompt) else {
        say("")
        throw CommandFailure(.cancelled, "")
      }
      do {
        return try await read(line)
      } catch let refusal as Refusal {
        say(refusal.message)
      }
    }
  }

  struct Refusal: Error {
    let message: String
  }

  /// Reads numbers from 1, or the texts of options, separated by commas. Returns the options in the order of the list.
  static func choices(
    _ line: String, among options: [String], isMultiple: Bool
  ) throws(Refusal) -> [String] {
    func option(_ text: String) -> String? {
      let text = text.trimmingBlanks
      if let exact = options.first(where: { $0.lowercased() == text.lowercased() }) { return exact }
      return Int(text).flatMap { options.indices.contains($0 - 1) ? options[$0 - 1] : nil }
    }
    let line = line.trimmingBlanks
    if line.isEmpty { return [] }
    if let whole = option(line) { return [whole] }
    let wanted =
      isMultiple
      ? "numbers from 1 to \(options.count), separated by commas"
      : "a number from 1 to \(options.count)"
    guard isMultiple else { throw Refusal(message: "Use \(wanted).") }
    var chosen: Set<String> = []
    for part in line.split(separator: ",") where !String(part).trimmingBlanks.isEmpty {
      guard let option = option(String(part)) else { throw Refusal(message: "Use \(wanted).") }
      chosen.insert(option)
    }
    return options.filter(chosen.contains)
  }
}

extension String {
  var trimmingBlanks: String {
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
