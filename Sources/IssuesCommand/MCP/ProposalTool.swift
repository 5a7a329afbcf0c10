internal import IssueMirror
internal import IssueOutbox
internal import PlatformModules
internal import StyledText

/// The tool `propose_change`: puts a change into the outbox, where it waits until a person approves or drops it.
struct ProposalTool: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case comment, label, issue

    static var names: String { allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",") }
  }

  /// GitHub's limit for the title of an issue.
  static let longestTitle = 256
  static let longestBody = 10_000
  private static let longestProposer = 60
  private static let mostNames = 20

  private let repository: RepositoryReference
  private let proposer: String
  private let change: Change
  private let number: Int?
  private let label: String?

  init(_ values: [String: MCPArgument], by client: String?) throws(ToolRefusal) {
    let arguments = try MCPArguments(
      values, known: ["repo", "kind", "number", "title", "body", "label"])
    repository = try arguments.repository(neededWith: #"such as "apple/swift""#)
    let word = try arguments.text(needed: "kind", "one of \(Kind.names)")
    guard let kind = Kind(rawValue: word) else {
      throw ToolRefusal("kind must be one of \(Kind.names).")
    }
    let needed = kind == .issue ? ["title"] : ["number", kind == .comment ? "body" : "label"]
    let allowed = kind == .issue ? ["title", "body"] : needed
    let rule = "a proposed \(word) has \(allowed.joined(separator: " and "))."
    for name in ["number", "title", "body", "label"] {
      guard !needed.contains(name) || arguments.has(name) else {
        throw ToolRefusal("\(name) is missing: \(rule)")
      }
      guard allowed.contains(name) || !arguments.has(name) else {
        throw ToolRefusal("leave \(name) out: \(rule)")
      }
    }
    number = try arguments.number("number", in: 1 ... .max)
    label = try arguments.text("label")
    let body = try arguments.text("body", atMost: Self.longestBody)
    let title = try arguments.text("title", atMost: Self.longestTitle)
    guard title?.contains(where: \.isNewline) != true else {
      throw ToolRefusal("title must be one line.")
    }
    let target = IssueTarget.number(number ?? 0)
    change =
      switch kind {
      case .comment: .comment(on: target, body: body ?? "")
      case .label: .edit(target, IssueChange(addedLabels: [label ?? ""]))
      case .issue: .createIssue(NewIssue(title: title ?? "", body: body))
      }
    let name = TerminalText(String((client ?? "").unicodeScalars.prefix(Self.longestProposer)))
      .string.trimmingBlanks
    proposer = name.isEmpty ? "an agent" : name
  }

  func text(
    in context: ToolContext, _ openOutbox: () throws(CommandFailure) -> Outbox
  ) async throws -> String {
    let mirrored = try await context.mirror.repository(of: repository)
    if let number, try await context.mirror.issue(number, of: mirrored) == nil {
      throw try await ReadTool.absence(of: number, from: mirrored, context)
    }
    if let label { try await require(label, in: mirrored, context) }
    guard let name = RepositoryName(mirrored.fullName),
      let server = try? GitHubServer(host: mirrored.host)
    else { throw ToolRefusal("\(mirrored.typedName) can't be changed.") }
    let entry: OutboxEntry
    do {
      entry = try await openOutbox().propose(
        Intention(change, in: name, on: server), by: proposer)
    } catch let failure as CommandFailure {
      throw ToolRefusal(failure.sentences)
    }
    return OrderedJSON.object([
      ("proposal", .integer(Int(entry.id))), ("task", .string(entry.task)),
      (
        "notice",
        .string(
          "Not sent. Ask the user to read it with 'issues outbox show \(entry.id)', and to send it with 'issues outbox "
            + "approve \(entry.id)' or drop it with 'issues outbox drop \(entry.id)'.")
      ),
    ]).text
  }

  /// Refuses a label that the repository doesn't have: the server would refuse it only after a person's approval.
  private func require(
    _ label: String, in mirrored: MirroredRepository, _ context: ToolContext
  ) async throws {
    let known = try await context.mirror.names(of: mirrored).labels
    guard !known.contains(where: { $0.lowercased() == label.lowercased() }) else { return }
    let names = known.prefix(Self.mostNames).map { context.mark.marked(line: $0, atMost: 60) }
    throw ToolRefusal(
      "\(mirrored.typedName) has no such label. "
        + (names.isEmpty
          ? "The mirror has none of its labels."
          : "Some of its labels: \(names.joined(separator: ", "))."))
  }
}

extension MCPArguments {
  /// Reads text of a limited length, in Unicode scalars.
  fileprivate func text(_ name: String, atMost limit: Int) throws(ToolRefusal) -> String? {
    let text = try text(name)
    guard text?.unicodeScalars.count ?? 0 <= limit else {
      throw ToolRefusal("\(name) can have at most \(limit) characters.")
    }
    return text
  }
}
