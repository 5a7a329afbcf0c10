/// The files of a repository, and the issue templates among them.
extension ForgejoEndpoints {
  private static let templateFolders = [".forgejo", ".gitea", ".github"].flatMap {
    ["\($0)/ISSUE_TEMPLATE/", "\($0)/issue_template/"]
  }

  /// A file with its text, or a folder's entries.
  func contents(_ place: WritePlace) throws(ForgejoRefusal) -> LoopbackResponse {
    let (repository, path) = (place.repository, place.path.dropFirst().joined(separator: "/"))
    if let text = repository.files[path] {
      return answer(entry(path, text, isWhole: true, in: repository))
    }
    let prefix = path.isEmpty ? "" : "\(path)/"
    var entries: [String: String] = [:]
    for (file, text) in repository.files where file.hasPrefix(prefix) {
      let rest = file.dropFirst(prefix.count)
      let name = String(rest.prefix { $0 != "/" })
      entries[name] = entry(
        prefix + name, name.count == rest.count ? text : nil, isWhole: false, in: repository)
    }
    guard !entries.isEmpty else { throw .notFound }
    return answer(JSONText.array(entries.keys.sorted().compactMap { entries[$0] }))
  }

  /// An entry. Without a text, it is a folder.
  private func entry(
    _ path: String, _ text: String?, isWhole: Bool, in repository: LoopbackRepository
  ) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let hash = String(StableHash.of(text ?? path), radix: 16)
    let url = JSONText.string(
      "\(json.api(repository))/contents/"
        + path.split(separator: "/").map { PercentCoding.encode(String($0)) }.joined(
          separator: "/"))
    let content = isWhole ? text.map { JSONText.string(Base64.encode($0)) } : nil
    return """
      {"name":\(JSONText.string(name)),"path":\(JSONText.string(path)),"sha":"\(hash)",\
      "last_commit_sha":"\(hash)","type":"\(text == nil ? "dir" : "file")",\
      "size":\(text?.utf8.count ?? 0),"encoding":\(content == nil ? "null" : "\"base64\""),\
      "content":\(content ?? "null"),"target":null,"url":\(url),"html_url":\(url),\
      "git_url":\(url),"download_url":\(text == nil ? "null" : url),"submodule_git_url":null,\
      "_links":{"self":\(url),"git":\(url),"html":\(url)}}
      """
  }

  /// The Markdown templates among the files, and the configured forms.
  func templates(of repository: LoopbackRepository) -> LoopbackResponse {
    let files = repository.files.keys.sorted().filter { file in
      file.hasSuffix(".md") && Self.templateFolders.contains { file.hasPrefix($0) }
    }
    let templates = files.compactMap { template($0, repository.files[$0] ?? "") }
    let broken = files.count - templates.count
    return answer(JSONText.array(templates + configuration.issueForms)).with {
      if broken > 0 {
        $0.headers.add(
          "X-Gitea-Warning", "error occurs when parsing issue template: count=\(broken)")
      }
    }
  }

  /// A template with front matter of simple lines; nil if it has no name or no description.
  private func template(_ file: String, _ text: String) -> String? {
    let parts = text.split(separator: "---\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty else { return nil }
    var fields: [String: String] = [:]
    for line in parts[1].split(separator: "\n") {
      let pair = line.split(separator: ":", maxSplits: 1)
      guard pair.count == 2 else { continue }
      let value = pair[1].drop { $0 == " " }
      fields[String(pair[0])] =
        value.hasPrefix("\"") ? String(value.dropFirst().dropLast()) : String(value)
    }
    guard let name = fields["name"], let about = fields["about"] else { return nil }
    func list(_ name: String) -> String {
      let names = (fields[name] ?? "").split { ",[] ".contains($0) }
      return names.isEmpty ? "null" : JSONText.array(names.map { JSONText.string(String($0)) })
    }
    return """
      {"name":\(JSONText.string(name)),"title":\(JSONText.string(fields["title"] ?? "")),\
      "about":\(JSONText.string(about)),"labels":\(list("labels")),\
      "assignees":\(list("assignees")),"ref":"",\
      "content":\(JSONText.string(String(parts[2]))),"body":null,\
      "file_name":\(JSONText.string(file))}
      """
  }
}
