internal import ArgumentParser
internal import IssueTracker

struct LabelCloneCommand: PropertyCommand {
  static let configuration = CommandConfiguration(
    commandName: "clone",
    abstract: "Create the labels of another repository.",
    usage: "issues label clone [<options>] OWNER/REPO",
    discussion: """
      Existing labels stay as they are; with --force, they get the color and the description of the other \
      repository's labels. Nothing is deleted. The changes are one second apart, as GitHub asks. If the \
      command is interrupted, run it again: it continues with the missing labels.

      For each label that it creates or changes, the command prints a sentence on a terminal and the address \
      in a pipe.

      EXAMPLES:
        issues label clone apple/swift
        issues label clone apple/swift -R octocat/hello --force
      """)

  @Argument(
    help: ArgumentHelp("The repository with the labels.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var source: String

  @Flag(name: .shortAndLong, help: "Change existing labels too.")
  var force = false

  @OptionGroup var change: PropertyChangeOptions

  func run(in session: CommandSession) async throws {
    let source = try Place(
      RepositoryReference(parsing: source), apiURL: change.connection.request.apiURL,
      environment: session.environment)
    let writing = try await change.writing(in: session)
    let sourceConnection = try await change.connection.connection(to: source.server, session)
    session.progress.update("Looking up the labels of \(source)…")
    let wanted = try await sourceConnection.labels(of: source)
    let present = try await writing.connection.labels(of: writing.place)
    let changes = Self.changes(from: wanted, to: present, force: force)

    var isFirst = true
    for cloning in changes {
      // GitHub recommends the pause:
      // https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests
      if !isFirst { try await Task.sleep(for: .seconds(1)) }
      isFirst = false
      try await writing.send(cloning)
    }
    session.progress.finish()
    let kept = wanted.count - changes.count
    let summary =
      switch (changes.count, kept) {
      case (0, _): "\(writing.place) already has all labels of \(source)."
      case (let count, 0): "Cloned \(Self.labels(count)) of \(source)."
      case (let count, let kept):
        "Cloned \(Self.labels(count)) of \(source); \(kept) stayed as \(kept == 1 ? "it was" : "they were")."
      }
    session.errors.write(summary)
  }

  private static func labels(_ count: Int) -> String { count == 1 ? "1 label" : "\(count) labels" }

  static func changes(from wanted: [GitHub.Label], to present: [GitHub.Label], force: Bool)
    -> [LabelCloning]
  {
    let names = Dictionary(present.map { ($0.name.lowercased(), $0) }) { first, _ in first }
    return wanted.compactMap { label in
      guard let old = names[label.name.lowercased()] else { return .create(label) }
      let isSame =
        old.color?.lowercased() == label.color?.lowercased()
        && (old.description ?? "") == (label.description ?? "")
      return force && !isSame ? .edit(old.name, label) : nil
    }
  }
}

enum LabelCloning: Hashable, Sendable {
  case create(GitHub.Label)
  /// Changes the color and description of the label with this name.
  case edit(String, GitHub.Label)
}

extension Connection {
  fileprivate func labels(of place: Place) async throws(CommandFailure) -> [GitHub.Label] {
    try await explaining("\(place)") { provider throws(NetworkError) in
      try await provider.labels(of: place.name)
    }
  }
}

extension PropertyWriting {
  fileprivate func send(_ change: LabelCloning) async throws {
    let verb: String
    let written: Written<GitHub.Label>
    switch change {
    case .create(let label):
      verb = "Created"
      written = try await sending(Property(kind: .label, name: label.name, isNew: true)) {
        writer throws(NetworkError) in
        try await writer.createLabel(
          NewLabel(name: label.name, color: label.color, description: label.description))
      }
    case .edit(let name, let label):
      verb = "Edited"
      written = try await sending(Property(kind: .label, name: name)) {
        writer throws(NetworkError) in
        try await writer.editLabel(
          name, LabelEdit(color: label.color, description: label.description ?? ""))
      }
    }
    try await tell(
      written.json, nil, "\(verb) the label “\(written.value.name)” in \(place)",
      address: labelPage(written.value.name))
  }
}
