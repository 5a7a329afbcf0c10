internal import GitHubAPI

/// The arguments of a call, checked as they are read. A model reads the refusals, so they explain how to fix the call.
///
/// Models write `""` or `null` for an omitted argument, `"12"` or `"#12"` for a number, and a number for text.
struct MCPArguments: Sendable {
  private let values: [String: MCPArgument]

  init(_ values: [String: MCPArgument], known: [String]) throws(ToolRefusal) {
    self.values = values.filter { argument in
      if case .text(let text) = argument.value { return text.contains { !$0.isWhitespace } }
      return argument.value != .null
    }
    if let unknown = self.values.keys.sorted().first(where: { !known.contains($0) }) {
      throw ToolRefusal(
        "There is no argument “\(unknown.prefix(60))”. The arguments are \(known.joined(separator: ", "))."
      )
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  func text(_ name: String) throws(ToolRefusal) -> String? {
    switch values[name] {
    case nil: return nil
    case .text(let text): return text
    case .number(let number): return "\(number)"
    default: throw ToolRefusal("\(name) must be text.")
    }
  }

  func text(needed name: String, _ example: String) throws(ToolRefusal) -> String {
    guard let text = try text(name) else {
      throw ToolRefusal("\(name) is missing: \(example).")
    }
    return text
  }

  func number(_ name: String, in range: ClosedRange<Int>) throws(ToolRefusal) -> Int? {
    guard let value = values[name] else { return nil }
    let number: Int? =
      switch value {
      case .number(let number): Int(exactly: number)
      case .text(let text): Int(text.filter { !$0.isWhitespace }.trimmingPrefix("#"))
      default: nil
      }
    guard let number, range.contains(number) else {
      throw ToolRefusal(
        range.upperBound == .max
          ? "\(name) must be a whole number from \(range.lowerBound)."
          : "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  func repository() throws(ToolRefusal) -> RepositoryReference? {
    guard let text = try text("repo") else { return nil }
    do throws(InvalidInput) {
      return try RepositoryReference(parsing: text)
    } catch {
      throw ToolRefusal("repo: \(error.message)")
    }
  }

  func repository(neededWith example: String) throws(ToolRefusal) -> RepositoryReference {
    guard let repository = try repository() else {
      throw ToolRefusal("repo is missing: \(example).")
    }
    return repository
  }
}

/// The reason that a tool has no result, and the remedy. A model reads it, not a person.
struct ToolRefusal: Error, Sendable, Hashable {
  private static let longest = 2_000

  let text: String

  init(_ text: String) {
    self.text = String(PlainText.harmless(text).unicodeScalars.prefix(Self.longest))
  }
}
