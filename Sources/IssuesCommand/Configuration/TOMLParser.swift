/// A value of a TOML document. No setting uses a float or a time, so these cases have no content.
enum TOMLValue {
  case string(String)
  case integer(Int)
  case float
  case boolean(Bool)
  case time
  case array([TOMLValue])
  case table(TOMLTable)
  /// Tables from headings such as `[[name]]`.
  case tables([TOMLTable])

  var string: String? { if case .string(let text) = self { text } else { nil } }

  var integer: Int? { if case .integer(let number) = self { number } else { nil } }

  var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

  var table: TOMLTable? { if case .table(let table) = self { table } else { nil } }

  var array: [TOMLValue]? {
    switch self {
    case .array(let values): values
    case .tables(let tables): tables.map(TOMLValue.table)
    default: nil
    }
  }
}

/// A place in a document: line and column, both from 1.
struct TOMLPlace {
  let line: Int
  /// The column in code points.
  let column: Int
}

final class TOMLTable {
  /// The origin of a table. It determines which keys may be added to the table.
  fileprivate enum Origin {
    /// The heading of a table inside this one.
    case nestedHeading
    case heading
    case dottedKey
    /// Braces. No keys can be added.
    case inline
  }

  fileprivate var origin: Origin
  private var names: [String] = []
  private var values: [String: Entry] = [:]

  private struct Entry {
    var value: TOMLValue
    let key: TOMLPlace
    let valuePlace: TOMLPlace
  }

  fileprivate init(_ origin: Origin) {
    self.origin = origin
  }

  /// The entries in the order of the document.
  var entries: [(name: String, value: TOMLValue)] {
    names.compactMap { name in values[name].map { (name, $0.value) } }
  }

  subscript(name: String) -> TOMLValue? { values[name]?.value }

  /// Returns the place of the statement that sets a key, such as `["views", "triage", "sort"]`, and of its value. A
  /// heading is both.
  func place(of path: [String]) -> (key: TOMLPlace, value: TOMLPlace)? {
    guard let name = path.first, let entry = values[name] else { return nil }
    return entry.value.table?.place(of: Array(path.dropFirst())) ?? (entry.key, entry.valuePlace)
  }

  /// Sets a key. The place of an existing key is kept.
  fileprivate func set(
    _ name: String, _ value: TOMLValue, at key: TOMLPlace, valuePlace: TOMLPlace? = nil
  ) {
    if values[name] != nil {
      values[name]?.value = value
    } else {
      names.append(name)
      values[name] = Entry(value: value, key: key, valuePlace: valuePlace ?? key)
    }
  }
}

/// Parses [TOML 1.0](https://toml.io/en/v1.0.0). Any text either parses or throws a problem.
struct TOMLParser {
  /// The maximum depth of keys and of values. Deeper nesting could exhaust the stack.
  private static let maximumDepth = 32

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  private var lineStart = 0

  static func parse(_ text: String) throws(ConfigurationProblem) -> TOMLTable {
    var parser = TOMLParser(text)
    return try parser.document()
  }

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  private mutating func document() throws(ConfigurationProblem) -> TOMLTable {
    let root = TOMLTable(.heading)
    var section = root
    if skip("\u{FEFF}") { lineStart = position }
    while true {
      skipBlanks()
      switch next {
      case nil: return root
      case "#", "\n", "\r": break
      case "[": section = try heading(in: root)
      default: try assignment(in: section)
      }
      try endLine()
    }
  }

  // MARK: Statements

  private mutating func heading(in root: TOMLTable) throws(ConfigurationProblem) -> TOMLTable {
    let start = place
    let isOfArray = skip("[[")
    if !isOfArray { _ = skip("[") }
    let path = try key()
    try expect(isOfArray ? "]]" : "]")
    var table = root
    for name in path.dropLast() {
      switch table[name] {
      case nil:
        let new = TOMLTable(.nestedHeading)
        table.set(name, .table(new), at: start)
        table = new
      case .table(let nested) where nested.origin != .inline: table = nested
      case .tables(let nested): table = nested.last ?? table
      default: throw redefinition(of: name)
      }
    }
    let name = path.last ?? ""
    switch (table[name], isOfArray) {
    case (nil, _):
      let new = TOMLTable(.heading)
      table.set(name, isOfArray ? .tables([new]) : .table(new), at: start)
      return new
    case (.table(let nested), false) where nested.origin == .nestedHeading:
      nested.origin = .heading
      return nested
    case (.tables(let tables), true):
      let new = TOMLTable(.heading)
      table.set(name, .tables(tables + [new]), at: start)
      return new
    default: throw redefinition(of: name)
    }
  }

  private mutating func assignment(
    in section: TOMLTable, depth: Int = 0
  ) throws(ConfigurationProblem) {
    skipBlanks()
    let start = place
    let path = try key()
    try expect("=")
    skipBlanks()
    let valuePlace = place
    var table = section
    for name in path.dropLast() {
      switch table[name] {
      case nil:
        let new = TOMLTable(.dottedKey)
        table.set(name, .table(new), at: start)
        table = new
      case .table(let nested) where [.dottedKey, .nestedHeading].contains(nested.origin):
        nested.origin = .dottedKey
        table = nested
      default: throw redefinition(of: name)
      }
    }
    let name = path.last ?? ""
    guard table[name] == nil else { throw redefinition(of: name) }
    table.set(name, try value(depth), at: start, valuePlace: valuePlace)
  }

  /// Reads a key and the surrounding spaces.
  private mutating func key() throws(ConfigurationProblem) -> [String] {
    var path: [String] = []
    repeat {
      skipBlanks()
      switch next {
      case "\"": path.append(try basicString())
      case "'": path.append(try literalString())
      default:
        let name = take { Self.isLetterOrDigit($0) || $0 == "_" || $0 == "-" }
        guard !name.isEmpty else { throw problem("a key is expected") }
        path.append(name)
      }
      skipBlanks()
      guard path.count <= Self.maximumDepth else { throw problem("the key has too many parts") }
    } while skip(".")
    return path
  }

  // MARK: Values

  private mutating func value(_ depth: Int) throws(ConfigurationProblem) -> TOMLValue {
    guard depth < Self.maximumDepth else { throw problem("values are nested too deeply") }
    switch next {
    case "\"": return .string(try startsWith("\"\"\"") ? multilineBasicString() : basicString())
    case "'": return .string(try startsWith("'''") ? multilineLiteralString() : literalString())
    case "[": return .array(try array(depth))
    case "{": return .table(try inlineTable(depth))
    default: return try word()
    }
  }

  private mutating func array(_ depth: Int) throws(ConfigurationProblem) -> [TOMLValue] {
    try expect("[")
    var values: [TOMLValue] = []
    while true {
      try skipLines()
      if skip("]") { return values }
      values.append(try value(depth + 1))
      try skipLines()
      guard skip(",") else {
        try expect("]")
        return values
      }
    }
  }

  private mutating func inlineTable(_ depth: Int) throws(ConfigurationProblem) -> TOMLTable {
    try expect("{")
    let table = TOMLTable(.inline)
    skipBlanks()
    if skip("}") { return table }
    repeat {
      guard next != "\n", next != "\r" else {
        throw problem("an inline table must be on one line, without a trailing comma")
      }
      try assignment(in: table, depth: depth + 1)
      skipBlanks()
    } while skip(",")
    try expect("}")
    return table
  }

  /// Reads a number, a time, `true` or `false`.
  private mutating func word() throws(ConfigurationProblem) -> TOMLValue {
    let start = position
    func isPart(_ scalar: Unicode.Scalar) -> Bool {
      Self.isLetterOrDigit(scalar) || "+-_.:".unicodeScalars.contains(scalar)
    }
    var word = take(isPart)
    // A space may separate a date and a time.
    if Self.isTime(word), word.utf8.count == 10, next == " ", position + 1 < scalars.count,
      Self.isDigit(scalars[position + 1])
    {
      position += 1
      word += " " + take(isPart)
    }
    switch word {
    case "": throw problem("a value is expected")
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case _ where Self.isTime(word): return .time
    default: break
    }
    if let value = Self.number(word) { return value }
    position = start
    throw problem("'\(word.prefix(40))' isn't a value: put text in quotation marks")
  }

  private static func number(_ word: String) -> TOMLValue? {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.hasPrefix(prefix) {
      guard let digits = digits(word.dropFirst(2), radix: radix) else { return nil }
      return Int(digits, radix: radix).map(TOMLValue.integer)
    }
    let sign = word.hasPrefix("-") ? "-" : ""
    let unsigned = word.hasPrefix("-") || word.hasPrefix("+") ? word.dropFirst() : word[...]
    if ["inf", "nan"].contains(unsigned) { return .float }
    let whole = unsigned.prefix { $0 != "." && $0 != "e" && $0 != "E" }
    guard let number = digits(whole), number == "0" || !number.hasPrefix("0") else { return nil }
    var rest = unsigned[whole.endIndex...]
    if rest.isEmpty { return Int(sign + number).map(TOMLValue.integer) }
    if rest.first == "." {
      let fraction = rest.dropFirst().prefix { $0 != "e" && $0 != "E" }
      guard digits(fraction) != nil else { return nil }
      rest = rest[fraction.endIndex...]
      if rest.isEmpty { return .float }
    }
    var exponent = rest.dropFirst()
    if exponent.first == "-" || exponent.first == "+" { exponent = exponent.dropFirst() }
    return digits(exponent) == nil ? nil : .float
  }

  /// The digits without the underscores between them.
  private static func digits(_ text: Substring, radix: Int = 10) -> String? {
    let groups = text.split(separator: "_", omittingEmptySubsequences: false)
    guard
      groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy { Int(String($0), radix: radix) != nil } })
    else { return nil }
    return groups.joined()
  }

  /// Checks only the format, because no setting uses a time.
  private static func isTime(_ word: String) -> Bool {
    var rest = String(word.map { $0.isASCII && $0.isNumber ? "0" : $0 })[...]
    func skip(_ part: String) -> Bool {
      guard rest.hasPrefix(part) else { return false }
      rest.removeFirst(part.count)
      return true
    }
    let hasDate = skip("0000-00-00")
    if hasDate {
      if rest.isEmpty { return true }
      guard skip("T") || skip("t") || skip(" ") else { return false }
    }
    guard skip("00:00:00") else { return false }
    if skip(".") {
      guard skip("0") else { return false }
      while skip("0") {}
    }
    if hasDate { _ = skip("Z") || skip("z") || skip("+00:00") || skip("-00:00") }
    return rest.isEmpty
  }

  // MARK: Strings

  private mutating func literalString() throws(ConfigurationProblem) -> String {
    try expect("'")
    var text = String.UnicodeScalarView()
    while next != "'" { text.append(try character()) }
    position += 1
    return String(text)
  }

  private mutating func basicString() throws(ConfigurationProblem) -> String {
    try expect("\"")
    var text = String.UnicodeScalarView()
    while next != "\"" {
      text.append(try skip("\\") ? escaped() : character())
    }
    position += 1
    return String(text)
  }

  private mutating func multilineLiteralString() throws(ConfigurationProblem) -> String {
    try expect("'''")
    _ = skipLineEnd()
    var text = String.UnicodeScalarView()
    while !skipEnd(of: &text, "'") {
      text.append(try skipLineEnd() ? "\n" : character())
    }
    return String(text)
  }

  private mutating func multilineBasicString() throws(ConfigurationProblem) -> String {
    try expect("\"\"\"")
    _ = skipLineEnd()
    var text = String.UnicodeScalarView()
    while !skipEnd(of: &text, "\"") {
      if skipLineEnd() {
        text.append("\n")
      } else if skip("\\") {
        if !skipContinuation() { text.append(try escaped()) }
      } else {
        text.append(try character())
      }
    }
    return String(text)
  }

  /// Skips the three quotation marks at the end of the text. Up to two marks before them belong to the text.
  private mutating func skipEnd(
    of text: inout String.UnicodeScalarView, _ mark: Unicode.Scalar
  ) -> Bool {
    let count = scalars[position...].prefix(5).prefix { $0 == mark }.count
    guard count >= 3 else { return false }
    text.append(contentsOf: repeatElement(mark, count: count - 3))
    position += count
    return true
  }

  /// Skips the end of a line after a backslash, and all white space after it.
  private mutating func skipContinuation() -> Bool {
    let start = position
    skipBlanks()
    guard skipLineEnd() else {
      position = start
      return false
    }
    repeat { skipBlanks() } while skipLineEnd()
    return true
  }

  private mutating func escaped() throws(ConfigurationProblem) -> Unicode.Scalar {
    let start = position
    position += 1
    switch start < scalars.count ? scalars[start] : nil {
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "\"": return "\""
    case "\\": return "\\"
    case "u": return try escaped(digits: 4)
    case "U": return try escaped(digits: 8)
    default:
      position = start
      throw problem("this escape doesn't exist: write \\\\ for a backslash")
    }
  }

  private mutating func escaped(digits count: Int) throws(ConfigurationProblem) -> Unicode.Scalar {
    let digits = scalars[position...].prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
      let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
      let scalar = Unicode.Scalar(value)
    else { throw problem("the escape requires \(count) hexadecimal digits of a character") }
    guard scalar != "\0" else { throw nullCharacter }
    position += count
    return scalar
  }

  /// Reads a character that needs no escape in a string.
  private mutating func character() throws(ConfigurationProblem) -> Unicode.Scalar {
    switch next {
    case nil: throw problem("the text isn't closed before the end of the file")
    case "\n", "\r": throw problem("the text isn't closed on its line")
    case let scalar?:
      try check(scalar)
      position += 1
      return scalar
    }
  }

  private func check(_ scalar: Unicode.Scalar) throws(ConfigurationProblem) {
    guard scalar != "\0" else { throw nullCharacter }
    guard scalar.value >= 0x20 || scalar == "\t", scalar.value != 0x7F else {
      throw problem("a control character can't be here: write it as an escape")
    }
  }

  // MARK: Characters

  private var place: TOMLPlace { TOMLPlace(line: line, column: position - lineStart + 1) }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func startsWith(_ text: String) -> Bool {
    scalars[position...].starts(with: text.unicodeScalars)
  }

  private mutating func skip(_ text: String) -> Bool {
    guard startsWith(text) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  private mutating func expect(_ text: String) throws(ConfigurationProblem) {
    guard skip(text) else { throw problem("'\(text)' is expected") }
  }

  private mutating func take(_ condition: (Unicode.Scalar) -> Bool) -> String {
    let taken = scalars[position...].prefix(while: condition)
    position = taken.endIndex
    return String(String.UnicodeScalarView(taken))
  }

  private mutating func skipBlanks() {
    while next == " " || next == "\t" { position += 1 }
  }

  private mutating func skipLineEnd() -> Bool {
    guard skip("\n") || skip("\r\n") else { return false }
    line += 1
    lineStart = position
    return true
  }

  private mutating func skipComment() throws(ConfigurationProblem) {
    guard next == "#" else { return }
    while let scalar = next, scalar != "\n", !startsWith("\r\n") {
      try check(scalar)
      position += 1
    }
  }

  /// Skips spaces, comments and line breaks.
  private mutating func skipLines() throws(ConfigurationProblem) {
    repeat {
      skipBlanks()
      try skipComment()
    } while skipLineEnd()
  }

  private mutating func endLine() throws(ConfigurationProblem) {
    skipBlanks()
    try skipComment()
    guard next == nil || skipLineEnd() else { throw problem("the end of the line is expected") }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    isDigit(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  // MARK: Problems

  private func problem(_ message: String) -> ConfigurationProblem {
    ConfigurationProblem(line: line, column: place.column, "it isn't TOML: \(message)")
  }

  private func redefinition(of name: String) -> ConfigurationProblem {
    problem("'\(name)' is already set")
  }

  private var nullCharacter: ConfigurationProblem {
    ConfigurationProblem(
      line: line, column: place.column, "text can't contain the character U+0000")
  }
}
