internal import IssueOutbox
internal import IssueTracker

/// The addresses at which a server stores the attachments of texts.
enum AttachmentAddress {
  /// The addresses in a text, without duplicates.
  static func all(in text: String, of server: GitHubServer) -> [String] {
    // Until 2023, GitHub stored images on this host.
    let old = server == .github ? ["https://user-images.githubusercontent.com/"] : []
    let beginnings =
      server.isGitea
      ? ["\(server.webURL)/attachments/"]
      : ["assets", "files"].map { "\(server.webURL)/user-attachments/\($0)/" } + old
    var addresses: [(position: String.Index, address: String)] = []
    for beginning in beginnings {
      for range in text.ranges(of: beginning) {
        let rest = text[range.upperBound...].prefix(while: isPart)
        let path = rest[
          ..<(rest.lastIndex { $0 != "." }.map(rest.index(after:)) ?? rest.startIndex)]
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        let count = beginning.hasSuffix("/assets/") || server.isGitea ? 1 : 2
        guard segments.count == count, segments.allSatisfy({ !$0.allSatisfy { $0 == "." } }) else {
          continue
        }
        let address = beginning + path
        if !addresses.contains(where: { $0.address == address }) {
          addresses.append((range.lowerBound, address))
        }
      }
    }
    return addresses.sorted { $0.position < $1.position }.map(\.address)
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-._~%/+".contains(character))
  }

  /// The name of the file for an address: unique, and safe inside a folder.
  static func fileName(for address: String) -> String {
    let segments = address.split(separator: "/")
    let last = PercentEncoding.decode(segments.last ?? "")
    let name =
      address.contains("/user-attachments/files/")
      ? "\(segments.suffix(2).first ?? "")-\(last)" : last
    return DownloadName.safe(name.replacing("/", with: "_").replacing("\\", with: "_"))
      ?? "download"
  }

  /// The extension for a file whose name has none: that of the name in the response, or of its media type.
  static func suffix(for response: TargetResponse) -> String? {
    let name = DownloadName.name(for: response)
    if let dot = name.lastIndex(of: "."),
      name[dot...].wholeMatch(of: /\.[A-Za-z0-9]{1,8}/) != nil
    {
      return String(name[dot...])
    }
    let type = response.headers[.contentType].map { $0.prefix { $0 != ";" && $0 != " " } }
    return type.flatMap { AttachmentKind(rawValue: $0.lowercased()) }.map { ".\($0.fileExtension)" }
  }
}
