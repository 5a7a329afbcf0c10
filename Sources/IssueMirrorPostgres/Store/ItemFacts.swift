internal import GitHubAPI
internal import IssueMirror
internal import PlatformModules

/// The searchable values of an item's JSON, extracted when the item is stored, because PostgreSQL can't read JSON that
/// contains a `\u0000` or a lone surrogate.
struct ItemFacts {
  var type: String?
  var parent: String?
  var reactions = 0
  var blockedBy = 0
  var blocking = 0
  /// The values of the organization's fields: see ``key(_:_:)``.
  var fieldKeys: [String] = []

  /// The facts; empty if the JSON isn't a readable object.
  init(_ json: Data) {
    unsafe json.withUnsafeBytes { bytes in
      var reader = unsafe JSONReader(bytes)
      do throws(JSONReader.Problem) {
        try read(&reader)
      } catch {}
    }
    if hasFields, let issue = try? GitHubJSON.decode(GitHub.Issue.self, from: json) {
      fieldKeys = issue.fieldValues.flatMap(Self.keys)
    }
  }

  private var hasFields = false

  /// The separator between the parts of a key: a control character that no one types.
  static let separator = "\u{1F}"

  /// The prefix of the keys for values of a field, as numbers or text.
  static func prefix(_ field: String, ofNumber: Bool) -> String {
    field + separator + (ofNumber ? "n" : "t") + separator
  }

  static func key(_ field: String, _ number: Double) -> String {
    prefix(field, ofNumber: true) + "\(number)"
  }

  static func key(_ field: String, _ text: String) -> String {
    prefix(field, ofNumber: false) + text.lowercased()
  }

  private static func keys(of value: GitHub.IssueFieldValue) -> [String] {
    guard let name = value.name else { return [] }
    let field = IssueFieldChoice.field(named: name)
    return switch value.content {
    case .number(let number): [key(field, number)]
    case .text(let text): [key(field, text)]
    case .options(let options): options.map { key(field, $0) }
    case nil: []
    }
  }

  private mutating func read(_ reader: inout JSONReader) throws(JSONReader.Problem) {
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "type": type = try Self.member("name", of: &reader) { try? $0.stringIfAny() }
      case "parent_issue_url": parent = try Self.leaf(&reader) { try? $0.stringIfAny() }
      case "issue_field_values":
        hasFields = true
        try reader.skip()
      case "reactions": reactions = try Self.member("total_count", of: &reader, Self.count) ?? 0
      case "issue_dependencies_summary":
        try Self.members(of: &reader) { (name, reader) throws(JSONReader.Problem) in
          switch name {
          case "blocked_by": blockedBy = try Self.leaf(&reader, Self.count) ?? 0
          case "blocking": blocking = try Self.leaf(&reader, Self.count) ?? 0
          default: try reader.skip()
          }
        }
      default: try reader.skip()
      }
    }
  }

  private static func count(_ reader: inout JSONReader) -> Int? {
    (try? reader.integerIfAny()).map(Int.init)
  }

  /// Nil if the value has another type.
  private static func leaf<Value>(
    _ reader: inout JSONReader, _ read: (inout JSONReader) -> Value?
  ) throws(JSONReader.Problem) -> Value? {
    var copy = reader
    let value = read(&copy)
    try reader.skip()
    return value
  }

  private static func member<Value>(
    _ wanted: StaticString, of reader: inout JSONReader, _ read: (inout JSONReader) -> Value?
  ) throws(JSONReader.Problem) -> Value? {
    var value: Value?
    try members(of: &reader) { (name, reader) throws(JSONReader.Problem) in
      if wanted ~= name {
        value = try leaf(&reader, read)
      } else {
        try reader.skip()
      }
    }
    return value
  }

  /// The members of an object; empty for any other value.
  private static func members(
    of reader: inout JSONReader,
    _ body: (JSONName, inout JSONReader) throws(JSONReader.Problem) -> Void
  ) throws(JSONReader.Problem) {
    guard try reader.peekBehindBlanks() == UInt8(ascii: "{") else { return try reader.skip() }
    try reader.beginObject()
    while let name = try reader.nextName() { try body(name, &reader) }
  }
}

/// The searchable text of an issue or a comment.
struct ItemText {
  var title: String?
  var body: String?

  /// The text; empty if the JSON isn't a readable object.
  init(_ json: Data) {
    unsafe json.withUnsafeBytes { bytes in
      var reader = unsafe JSONReader(bytes)
      do throws(JSONReader.Problem) {
        try reader.beginObject()
        while let name = try reader.nextName() {
          switch name {
          case "title": title = try reader.stringIfAny()
          case "body": body = try reader.stringIfAny()
          default: try reader.skip()
          }
        }
      } catch {}
    }
  }
}
