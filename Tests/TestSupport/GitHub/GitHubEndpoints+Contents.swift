/// The files of a repository.
///
/// https://docs.github.com/en/rest/repos/contents#get-repository-content
extension GitHubEndpoints {
  /// A file with its text, or a folder's entries.
  func contents(_ repository: LoopbackRepository, _ path: String) -> LoopbackResponse {
    let path = path.split(separator: "/").joined(separator: "/")
    if let text = repository.files[path] {
      return tagged(entry(path, text, isWhole: true))
    }
    let prefix = path.isEmpty ? "" : "\(path)/"
    var entries: [String: String] = [:]
    for (file, text) in repository.files where file.hasPrefix(prefix) {
      let rest = file.dropFirst(prefix.count)
      let name = String(rest.prefix { $0 != "/" })
      entries[name] =
        name.count == rest.count
        ? entry(file, text, isWhole: false)
        : entry(prefix + name, nil, isWhole: false)
    }
    guard !entries.isEmpty else { return GitHubError.notFound.response(now: now) }
    return tagged(JSONText.array(entries.keys.sorted().compactMap { entries[$0] }))
  }

  /// An entry. Without a text, it is a folder.
  private func entry(_ path: String, _ text: String?, isWhole: Bool) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    // Files above 1 MB come without their text.
    let content =
      switch text {
      case let text? where isWhole && text.utf8.count <= 1 << 20:
        #","encoding":"base64","content":\#(JSONText.string(Base64.encode(text) + "\n"))"#
      case _? where isWhole: #","encoding":"none","content":"""#
      default: ""
      }
    return """
      {"name":\(JSONText.string(name)),"path":\(JSONText.string(path)),\
      "type":"\(text == nil ? "dir" : "file")","size":\(text?.utf8.count ?? 0)\(content)}
      """
  }
}
