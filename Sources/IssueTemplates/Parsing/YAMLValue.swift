internal import Yams

/// A value in a YAML document, with its line. Scalars stay text, which the reader interprets.
enum YAMLValue {
  case scalar(String, isPlain: Bool, line: Int)
  case list([YAMLValue], line: Int)
  case mapping([Member], line: Int)

  struct Member {
    var key: String
    var line: Int
    var value: YAMLValue
  }

  /// The maximum size in bytes. GitHub accepts 65,536 characters for the text of an issue.
  static let maximumSize = 256 << 10

  /// The maximum nesting depth. A form has six levels.
  static let maximumDepth = 24

  var line: Int {
    switch self {
    case .scalar(_, _, let line), .list(_, let line), .mapping(_, let line): line
    }
  }

  /// Whether the value is an empty plain scalar, `~` or `null`.
  var isNull: Bool {
    guard case .scalar(let text, isPlain: true, _) = self else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  /// The Boolean value of a plain word in YAML 1.1: <https://yaml.org/type/bool.html>.
  var boolean: Bool? {
    guard case .scalar(let text, isPlain: true, _) = self else { return nil }
    switch text.lowercased() {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default: return nil
    }
  }

  /// Reads a document that begins on a given line of a file; nil for an empty document. Aliases are refused, because a
  /// few lines of them can expand to a value of any size.
  static func document(
    _ text: String, file: String, firstLine: Int = 1
  ) throws(TemplateError) -> YAMLValue? {
    func error(_ line: Int?, _ problem: String) -> TemplateError {
      TemplateError(file: file, line: line.map { $0 + firstLine - 1 }, problem: problem)
    }
    guard text.utf8.count <= maximumSize else {
      throw error(nil, "the file is longer than \(maximumSize >> 10) KiB")
    }
    if let alias = AnchorScan.alias(in: text) {
      throw error(nil, "the file refers to the anchor “\(alias)”: write the value out")
    }
    // The parser doesn't limit its recursion, but libyaml stops at a depth of a thousand.
    let root: Node?
    do {
      root = try Parser(yaml: text.withoutByteOrderMark, resolver: .basic, encoding: .utf8)
        .singleRoot()
    } catch {
      let (line, problem) = Self.explanation(of: error)
      throw Self.located(error: problem, line.map { $0 + firstLine - 1 }, file)
    }
    guard let root else { return nil }
    do {
      return try YAMLValue(root, depth: 0, firstLine: firstLine)
    } catch {
      throw Self.located(error: error.text, error.line, file)
    }
  }

  private static func located(error: String, _ line: Int?, _ file: String) -> TemplateError {
    TemplateError(file: file, line: line, problem: error)
  }

  private struct Problem: Error {
    var line: Int
    var text: String
  }

  private init(_ node: Node, depth: Int, firstLine: Int) throws(Problem) {
    let line = (node.mark?.line ?? 1) + firstLine - 1
    guard depth <= Self.maximumDepth else {
      throw Problem(
        line: line, text: "values are nested more than \(Self.maximumDepth) levels deep")
    }
    switch node {
    case .scalar(let scalar):
      self = .scalar(scalar.string, isPlain: scalar.style == .plain, line: line)
    case .sequence(let sequence):
      var values: [YAMLValue] = []
      for element in sequence {
        values.append(try YAMLValue(element, depth: depth + 1, firstLine: firstLine))
      }
      self = .list(values, line: line)
    case .mapping(let mapping):
      var members: [Member] = []
      for (key, value) in mapping {
        guard case .scalar(let name) = key else {
          throw Problem(line: line, text: "a key isn't text")
        }
        members.append(
          Member(
            key: name.string, line: (name.mark?.line ?? 1) + firstLine - 1,
            value: try YAMLValue(value, depth: depth + 1, firstLine: firstLine)))
      }
      self = .mapping(members, line: line)
    case .alias:
      throw Problem(line: line, text: "the file refers to an anchor: write the value out")
    }
  }

  private static func explanation(of error: any Error) -> (line: Int?, problem: String) {
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      (mark.line, "\(context.map { "\($0.text): " } ?? "")\(problem)")
    case .reader(let problem, _, _, _): (nil, problem)
    case .duplicatedKeysInMapping(let keys, let context):
      (
        context.mark.line > 0 ? context.mark.line : nil,
        "the key \(keys.map { "“\($0)”" }.joined(separator: ", ")) occurs twice"
      )
    default: (nil, "it isn't YAML")
    }
  }
}

/// Finds aliases without parsing. The parser can't refuse aliases. It compares keys while reading, which takes
/// exponential time if keys are aliases of aliases. An alias requires that its name occurs after an `&` that begins a
/// word, and after a `*`.
enum AnchorScan {
  /// The name of an anchor that may have an alias.
  static func alias(in text: String) -> String? {
    var (anchors, aliases): (Set<Substring>, Set<Substring>) = ([], [])
    let bytes = text.utf8
    var index = bytes.startIndex
    var previous = UInt8(ascii: "\n")
    while index < bytes.endIndex {
      let byte = bytes[index]
      let next = bytes.index(after: index)
      if byte == UInt8(ascii: "&") || byte == UInt8(ascii: "*"), mayEnd(previous) {
        let end = bytes[next...].firstIndex { !isNamePart($0) } ?? bytes.endIndex
        if end > next {
          let name = text[next..<end]
          if byte == UInt8(ascii: "&") { anchors.insert(name) } else { aliases.insert(name) }
          previous = bytes[bytes.index(before: end)]
          index = end
          continue
        }
      }
      previous = byte
      index = next
    }
    return anchors.intersection(aliases).min().map(String.init)
  }

  /// Whether a word may begin after a byte. `Q&A` doesn't contain an anchor. Any non-ASCII character may be a space.
  private static func mayEnd(_ byte: UInt8) -> Bool {
    !isNamePart(byte) && byte != UInt8(ascii: "*") && byte != UInt8(ascii: "&")
  }

  /// Whether a name of an anchor may contain a byte, according to libyaml.
  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
