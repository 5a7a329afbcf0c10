extension RepositoryTemplates {
  /// Finds the templates of a repository on its default branch.
  ///
  /// The folder `.github/ISSUE_TEMPLATE` takes precedence. The next places are the folders `ISSUE_TEMPLATE` and
  /// `docs/ISSUE_TEMPLATE`, and then a single file `ISSUE_TEMPLATE.md`, ignoring the case of their names. If none of
  /// these exists, the folder in the owner's repository `.github` is used, if that repository is public
  /// (<https://docs.github.com/en/communities/setting-up-your-project-for-healthy-contributions/creating-a-default-community-health-file>).
  ///
  /// Forgejo and Gitea have folders of their own, `.forgejo` and `.gitea`, which take precedence over `.github`, and no
  /// templates of the owner (<https://forgejo.org/docs/latest/user/issue-pull-request-templates/>).
  ///
  /// If the repository has the first folder, this takes two rounds of requests, the second one in parallel; otherwise
  /// it takes at most five. Responses are cached like all others.
  ///
  /// - Parameters:
  ///   - repository: The repository.
  ///   - provider: The provider that sends the requests.
  /// - Returns: The templates; an empty list if the repository doesn't have any.
  /// - Throws: ``/HTTPTargets/NetworkError``. If the repository doesn't exist, the list is empty.
  public static func find(
    of repository: RepositoryName, provider: Provider<GitHub>
  ) async throws(NetworkError) -> RepositoryTemplates {
    let finder = TemplateFinder(provider: provider)
    let own: [String]? =
      switch provider.forge {
      case .gitHub: nil
      case .forgejo: ["", ".forgejo", ".gitea", ".github", "docs"]
      case .gitea: ["", ".gitea", ".github", "docs"]
      }
    if let own { return try await finder.search(own, in: repository) ?? RepositoryTemplates() }
    if let entries = try await finder.folder(TemplateFinder.usualFolder, of: repository),
      let found = try await finder.templates(in: entries, of: repository)
    {
      return found
    }
    if let found = try await finder.search(
      [".github", "", "docs"], except: TemplateFinder.usualFolder, in: repository)
    {
      return found
    }
    return try await finder.defaults(of: repository) ?? RepositoryTemplates()
  }
}

private struct TemplateFinder: Sendable {
  let provider: Provider<GitHub>

  static let usualFolder = ".github/ISSUE_TEMPLATE"
  private static let folderName = "issue_template"
  private static let singleFiles = ["issue_template.md", "issue_template"]

  func folder(
    _ path: String, of repository: RepositoryName
  ) async throws(NetworkError) -> [RepositoryContent]? {
    guard case .folder(let entries)? = try await provider.contents(at: path, of: repository) else {
      return nil
    }
    return entries
  }

  /// Nil if the folder contains neither templates nor a configuration.
  func templates(
    in entries: [RepositoryContent], of repository: RepositoryName
  ) async throws(NetworkError) -> RepositoryTemplates? {
    let entries = entries.filter {
      ($0.kind == .file || $0.kind == .link) && RepositoryTemplates.isRead($0.name)
    }
    guard !entries.isEmpty else { return nil }
    let wanted = entries.filter { $0.size <= YAMLValue.maximumSize && $0.canBeRequested }
    let files = try await texts(
      of: wanted.prefix(RepositoryTemplates.maximumCount).map(\.path), in: repository)
    var found = RepositoryTemplates(files: files, source: repository)
    found.refused += entries.filter { !$0.canBeRequested }.map {
      TemplateError(file: $0.name, problem: "no request is possible for the path “\($0.path)”")
    }
    found.refused += entries.filter { $0.size > YAMLValue.maximumSize }.map {
      TemplateError(
        file: $0.name, problem: "the file is longer than \(YAMLValue.maximumSize >> 10) KiB")
    }
    found.refused += wanted.dropFirst(RepositoryTemplates.maximumCount).map {
      TemplateError(
        file: $0.name, problem: "there are more than \(RepositoryTemplates.maximumCount) files")
    }
    return found
  }

  /// Searches folders for a folder of templates, and then for a single file.
  func search(
    _ parents: [String], except known: String? = nil, in repository: RepositoryName
  ) async throws(NetworkError) -> RepositoryTemplates? {
    let folders = try await sideBySide(parents) { path throws(NetworkError) in
      try await folder(path, of: repository) ?? []
    }
    for entries in folders {
      let list = entries.first {
        $0.kind == .folder && $0.canBeRequested && $0.name.lowercased() == Self.folderName
      }
      if let list, list.path != known,
        let entries = try await folder(list.path, of: repository),
        let found = try await templates(in: entries, of: repository)
      {
        return found
      }
    }
    for entries in folders {
      let file = entries.first {
        $0.kind != .folder && $0.canBeRequested
          && Self.singleFiles.contains($0.name.lowercased())
      }
      guard let file,
        case .file(let content)? = try await provider.contents(at: file.path, of: repository),
        let text = content.text
      else { continue }
      let template = IssueTemplate(
        fileName: file.name, name: file.name,
        body: text.withoutByteOrderMark.lines.joined(separator: "\n"))
      return RepositoryTemplates(templates: [.markdown(template)], source: repository)
    }
    return nil
  }

  /// The owner's templates for all repositories, if they are public.
  func defaults(
    of repository: RepositoryName
  ) async throws(NetworkError) -> RepositoryTemplates? {
    guard repository.name.lowercased() != ".github",
      let common = RepositoryName("\(repository.owner)/.github")
    else { return nil }
    guard let entries = try await folder(Self.usualFolder, of: common),
      try await isPublic(common)
    else { return nil }
    return try await templates(in: entries, of: common)
  }

  private func isPublic(_ repository: RepositoryName) async throws(NetworkError) -> Bool {
    do throws(NetworkError) {
      return try await !provider.repository(repository).isPrivate
    } catch {
      guard error.response?.status == .notFound else { throw error }
      return false
    }
  }

  private func texts(
    of paths: [String], in repository: RepositoryName
  ) async throws(NetworkError) -> [(name: String, text: String?)] {
    try await sideBySide(paths) { path throws(NetworkError) in
      let name = String(path.split(separator: "/").last ?? "")
      guard case .file(let content)? = try await provider.contents(at: path, of: repository) else {
        return (name, nil)
      }
      return (name, content.text)
    }
  }

  private func sideBySide<Value: Sendable>(
    _ paths: [String], _ ask: @Sendable @escaping (String) async throws(NetworkError) -> Value
  ) async throws(NetworkError) -> [Value] {
    let outcomes = await withTaskGroup(of: (Int, Result<Value, NetworkError>).self) { group in
      for (index, path) in paths.enumerated() {
        group.addTask {
          do throws(NetworkError) {
            return (index, .success(try await ask(path)))
          } catch {
            return (index, .failure(error))
          }
        }
      }
      var outcomes: [Int: Result<Value, NetworkError>] = [:]
      for await (index, outcome) in group { outcomes[index] = outcome }
      return outcomes
    }
    var values: [Value] = []
    for index in paths.indices {
      if let outcome = outcomes[index] { values.append(try outcome.get()) }
    }
    return values
  }
}

extension RepositoryContent {
  /// False for a segment `..`, which ``/HTTPTargets/URLPath`` refuses. A file with such a path must not prevent the
  /// others from being read.
  fileprivate var canBeRequested: Bool {
    !path.split(separator: "/").contains { $0 == "." || $0 == ".." }
  }
}
