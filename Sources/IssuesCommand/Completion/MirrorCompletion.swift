internal import IssueMirror
internal import IssueTracker

/// Completes numbers, labels, logins and repositories from the mirror. It doesn't send requests or create a mirror.
///
/// The parser passes the words of the line, the index of the word to complete, and its part before the cursor.
enum MirrorCompletion {
  private static let limit = 100

  private struct Subject {
    let names: MirrorNames
    let place: Place

    var repository: RepositoryName { place.name }
    var server: GitHubServer { place.server }
  }

  @Sendable static func repositories(words: [String], index: Int, prefix: String) async -> [String]
  {
    await lines(repositories(prefix))
  }

  @Sendable static func numbers(words: [String], index: Int, prefix: String) async -> [String] {
    await lines(numbers(words, index, prefix))
  }

  @Sendable static func numberList(words: [String], index: Int, prefix: String) async -> [String] {
    await list(prefix) { await numbers(words, index, $0) }
  }

  /// The first argument of `view` and `open`: an issue of the clone in the current directory, or a repository.
  @Sendable static func numberOrName(words: [String], index: Int, prefix: String) async -> [String]
  {
    let numbers = prefix.first?.isNumber == true ? await numbers(words, index, prefix) : []
    return numbers.isEmpty
      ? await NameCompletion.candidates(words: words, index: index, prefix: prefix)
      : lines(numbers)
  }

  /// The mirrored repositories. If none matches, other repositories are offered.
  @Sendable static func repositoryOrName(words: [String], index: Int, prefix: String) async
    -> [String]
  {
    let mirrored = await repositories(prefix)
    return mirrored.isEmpty
      ? await NameCompletion.candidates(words: words, index: index, prefix: prefix)
      : lines(mirrored)
  }

  /// The owners of the mirrored repositories on the default host.
  @Sendable static func owners(words: [String], index: Int, prefix: String) async -> [String] {
    lines(await owners(prefix).compactMap { ShellCandidate($0) })
  }

  /// The owners without duplicates, most recently synced first.
  static func owners(_ prefix: String) async -> [String] {
    guard let names = open() else { return [] }
    let usual = try? GitHubServer(apiURL: nil, host: nil, environment: World.current.environment)
    var seen: Set<String> = []
    return await names.repositories().compactMap { host, fullName in
      guard host == usual?.host, let owner = RepositoryName(fullName)?.owner,
        owner.lowercased().hasPrefix(prefix.lowercased()),
        seen.insert(owner.lowercased()).inserted
      else { return nil }
      return owner
    }
  }

  @Sendable static func label(words: [String], index: Int, prefix: String) async -> [String] {
    await lines(labels(words, index, prefix).prefix(limit))
  }

  /// Completes one label, or several separated by commas.
  @Sendable static func labels(words: [String], index: Int, prefix: String) async -> [String] {
    await list(prefix) { await labels(words, index, $0) }
  }

  private static func labels(
    _ words: [String], _ index: Int, _ prefix: String
  ) async -> [ShellCandidate] {
    guard let subject = await subject(words, index) else { return [] }
    return await subject.names.labels(
      of: subject.repository, on: subject.server, prefix: prefix
    ).compactMap { ShellCandidate($0.name, detail: $0.description ?? "") }
  }

  @Sendable static func milestones(words: [String], index: Int, prefix: String) async -> [String] {
    guard let subject = await subject(words, index) else { return [] }
    let milestones = await subject.names.milestones(
      of: subject.repository, on: subject.server, prefix: prefix)
    return lines(
      milestones.compactMap { ShellCandidate($0.title, detail: "#\($0.number)") }.prefix(limit))
  }

  @Sendable static func authors(words: [String], index: Int, prefix: String) async -> [String] {
    guard let subject = await subject(words, index) else { return [] }
    return lines(
      logins(
        await subject.names.authors(
          of: subject.repository, on: subject.server, prefix: prefix, limit: limit)))
  }

  @Sendable static func assignees(words: [String], index: Int, prefix: String) async -> [String] {
    await lines(assignees(words, index, prefix))
  }

  @Sendable static func assigneeList(
    words: [String], index: Int, prefix: String
  ) async -> [String] {
    await list(prefix) { await assignees(words, index, $0) }
  }

  private static func assignees(
    _ words: [String], _ index: Int, _ prefix: String
  ) async -> [ShellCandidate] {
    guard let subject = await subject(words, index) else { return [] }
    return logins(
      await subject.names.assignees(
        of: subject.repository, on: subject.server, prefix: prefix, limit: limit))
  }

  /// Completes only the name of a field. The user types the value.
  @Sendable static func fields(words: [String], index: Int, prefix: String) async -> [String] {
    guard let subject = await subject(words, index) else { return [] }
    let names = await subject.names.fields(
      of: subject.repository, on: subject.server, prefix: prefix, limit: limit)
    return lines(names.compactMap { ShellCandidate($0) })
  }

  private static func repositories(_ prefix: String) async -> [ShellCandidate] {
    guard let names = open() else { return [] }
    return await names.repositories().compactMap { host, fullName in
      let name = host == GitHubServer.github.host ? fullName : "\(host)/\(fullName)"
      guard name.lowercased().hasPrefix(prefix.lowercased()),
        (try? RepositoryReference(parsing: name)) != nil
      else { return nil }
      return ShellCandidate(name)
    }
  }

  private static func numbers(
    _ words: [String], _ index: Int, _ prefix: String
  ) async -> [ShellCandidate] {
    guard let subject = await subject(words, index) else { return [] }
    let numbers = await subject.names.numbers(
      of: subject.repository, on: subject.server, prefix: prefix, limit: limit)
    return numbers.compactMap { ShellCandidate("\($0.number)", detail: $0.title) }
  }

  private static func logins(_ logins: [String]) -> [ShellCandidate] {
    logins.filter { Username($0) != nil }.compactMap { ShellCandidate($0) }
  }

  /// Finds the repository in another word, or else in `GH_REPO` or the clone; nil if the line specifies a server.
  private static func subject(_ words: [String], _ index: Int) async -> Subject? {
    guard !words.contains(where: { $0 == "--stub" || $0.hasPrefix("--api-url") }),
      let names = open()
    else { return nil }
    let environment = World.current.environment
    let named = words.indices.dropFirst().lazy
      .filter { $0 != index && words[$0].contains("/") }
      .compactMap { try? RepositoryReference(parsing: words[$0]) }.first
    let own =
      named == nil
      ? try? await RepositoryChoice(nil, option: nil).reference(environment: environment) : nil
    guard let reference = named ?? own,
      let place = try? Place(reference, environment: environment)
    else { return nil }
    return Subject(names: names, place: place)
  }

  private static func open() -> MirrorNames? {
    Mirror.path(in: World.current.environment).flatMap { try? MirrorNames(path: $0) }
  }

  /// Completes the whole value, whose name may contain a comma, or else the name after the last comma. A name with a
  /// comma is offered in quotation marks, as the options read it (``NameList``).
  private static func list(
    _ value: String, _ candidates: (String) async -> [ShellCandidate]
  ) async -> [String] {
    func named(_ text: Substring) async -> [ShellCandidate] {
      await candidates(String(text.first == "\"" ? text.dropFirst() : text))
    }
    var given = ""
    var found = await named(value[...])
    let comma = value.indices.last { index in
      value[index] == "," && value[..<index].count { $0 == "\"" }.isMultiple(of: 2)
    }
    if found.isEmpty, let comma {
      given = String(value[...comma])
      found = await named(value[comma...].dropFirst())
    }
    let names = NameList.names(in: given)
    return found.filter { !names.contains($0.text) }.prefix(limit).map { candidate in
      given + (candidate.text.contains(",") ? candidate.quoted : candidate).line
    }
  }

  private static func lines(_ candidates: some Sequence<ShellCandidate>) -> [String] {
    candidates.map(\.line)
  }
}
