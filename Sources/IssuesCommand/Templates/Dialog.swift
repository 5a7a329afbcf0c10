internal import StyledText

/// A conversation with a person, on standard error and a line at a time.
struct Dialog: Sendable {
  /// The text is neutralised.
  let show: @Sendable (_ text: String, _ isAside: Bool) -> Void
  /// Nil at the end of the input.
  let line: @Sendable (_ prompt: String) async -> String?

  static func onTerminal(of session: CommandSession) -> Dialog {
    Dialog { text, isAside in
      session.errors.write(text, style: isAside ? .faint : .plain)
    } line: { prompt in
      session.progress.finish()
      return await Question.line(after: prompt)
    }
  }

  /// Asks until `read` takes an answer; a ``Refusal`` is shown.
  func ask<Value>(
    _ prompt: String, _ read: (String) async throws -> Value
  ) async throws -> Value {
    while true {
      guard let line = await line(prompt) else {
        show("", false)
        throw CommandFailure(.cancelled, "")
      }
      do {
        return try await read(line)
      } catch let refusal as Refusal {
        show(refusal.message, false)
      }
    }
  }

  struct Refusal: Error {
    let message: String
  }

  /// Reads numbers from 1, or the texts themselves, separated by commas. Returns them in the order of the list.
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
