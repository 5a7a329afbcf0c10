internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import TerminalMarkdown

/// The images in Markdown text whose addresses are paths of files on this machine, such as `![A crash](./shot.png)`.
enum LocalImages {
  struct Image {
    /// The alternative text, in Markdown.
    let alternativeText: Substring
    let path: String
    /// The text after the address: the title and the closing parenthesis.
    let ending: Substring
  }

  enum Replacement {
    case inline(String)
    /// Text that needs a line of its own.
    case line(String)
  }

  /// The paths that a text refers to, without duplicates.
  static func paths(in text: String) -> [String] {
    var paths: [String] = []
    _ = replacing(in: text) { image in
      if !paths.contains(image.path) { paths.append(image.path) }
      return nil
    }
    return paths
  }

  /// The text with images in place of lines that are only the path of a file, as a terminal pastes it for a file that is
  /// dropped on its window.
  static func showingPastedPaths(in text: String, home: String?) -> String {
    MarkdownProse.replacing(in: text) { rest, last in
      guard last?.isNewline ?? true else { return nil }
      let line = rest.prefix { !$0.isNewline }
      guard let pasted = PastedPath(String(line))?.path else { return nil }
      let path = pasted.hasPrefix("~/") ? "\(home ?? "~")\(pasted.dropFirst())" : pasted
      guard BodyOptions.isFile(path) else { return nil }
      func escaped(_ text: some StringProtocol) -> String {
        text.reduce(into: "") { $0 += "\\[]<>".contains($1) ? "\\\($1)" : "\($1)" }
      }
      let name = path.split(separator: "/").last ?? ""
      return (line.endIndex, "![\(escaped(name))](<\(escaped(path))>)")
    }
  }

  /// Replaces images outside of code. If `replacement` returns nil, the image isn't changed.
  static func replacing(in text: String, _ replacement: (Image) -> Replacement?) -> String {
    guard text.contains("![") else { return text }
    // The parser knows all kinds of code, and the scanner knows the positions.
    let addresses = MarkdownImages.addresses(in: text).filter(isPath)
    guard !addresses.isEmpty else { return text }
    return MarkdownProse.replacing(in: text) { rest, last in
      guard let (end, image, address) = image(at: rest), addresses.contains(address) else {
        return nil
      }
      switch replacement(image) {
      case .inline(let new): return (end, new)
      case .line(let new):
        let after = rest[end...].drop { $0 == " " || $0 == "\t" }
        let before = last?.isNewline ?? true ? "" : "\n\n"
        return (after.startIndex, before + new + (after.first?.isNewline ?? true ? "" : "\n\n"))
      case nil: return nil
      }
    }
  }

  /// Whether an address isn't one of the web.
  private static func isPath(_ address: String) -> Bool {
    guard let first = address.first, first != "#", !address.hasPrefix("//") else { return false }
    return address.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:/) == nil
  }

  /// An inline image at the beginning of a text: <https://github.github.com/gfm/#images>.
  private static func image(
    at text: Substring
  ) -> (end: String.Index, image: Image, address: String)? {
    guard text.hasPrefix("![") else { return nil }
    let content = text.dropFirst(2)
    guard let bracket = end(of: content, "[", "]"), content[bracket...].hasPrefix("](") else {
      return nil
    }
    let inside = content[bracket...].dropFirst(2).drop(while: \.isWhitespace)
    let written: Substring
    var rest: Substring
    if inside.first == "<" {
      guard let close = end(of: inside.dropFirst(), nil, ">") else { return nil }
      written = inside.dropFirst()[..<close]
      rest = inside[close...].dropFirst()
    } else {
      let close = inside.firstIndex(where: \.isWhitespace) ?? inside.endIndex
      let parenthesis = end(of: inside, "(", ")") ?? inside.endIndex
      written = inside[..<min(close, parenthesis)]
      rest = inside[written.endIndex...]
    }
    let beginning = rest.startIndex
    rest = rest.drop(while: \.isWhitespace)
    if let quote = rest.first, let closing: Character = ["\"": "\"", "'": "'", "(": ")"][quote] {
      guard let close = end(of: rest.dropFirst(), nil, closing) else { return nil }
      rest = rest[close...].dropFirst().drop(while: \.isWhitespace)
    }
    guard rest.first == ")" else { return nil }
    let end = rest.index(after: rest.startIndex)
    let address = unescaped(written)
    let path = [address, PercentEncoding.decode(address[...])].first(where: BodyOptions.isFile)
    return (
      end,
      Image(
        alternativeText: content[..<bracket], path: path ?? address, ending: text[beginning..<end]),
      address
    )
  }

  /// The position of the closing character, skipping escapes and nested pairs.
  private static func end(
    of text: Substring, _ opening: Character?, _ closing: Character
  ) -> String.Index? {
    var depth = 0
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      if character == "\\" {
        index = text.index(after: index)
        guard index < text.endIndex else { return nil }
      } else if character == closing {
        if depth == 0 { return index }
        depth -= 1
      } else if character == opening {
        depth += 1
      }
      index = text.index(after: index)
    }
    return nil
  }

  private static func unescaped(_ text: Substring) -> String {
    String(text.replacing(/\\([!-\/:-@\[-`{-~])/) { $0.1 })
  }
}
