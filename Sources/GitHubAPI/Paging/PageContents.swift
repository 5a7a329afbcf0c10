package import HTTPTargets
internal import PlatformModules

/// Decodes entries one by one, so that an invalid entry doesn't affect the others. Together, they may have as many
/// values as ``GitHubJSON/maximumCount`` allows.
package struct PageContents<Item: Decodable & Sendable>: Sendable {
  package private(set) var items: [Item] = []
  package private(set) var unreadable: [UnreadableEntry] = []
  /// The total number of search results; nil for other lists.
  package private(set) var totalCount: Int?
  package private(set) var isIncomplete = false
  package private(set) var outcome: IssueSearchOutcome?

  /// Decodes a page. A response without content is an empty page. Throws if the format is wrong, or if none of the
  /// entries can be decoded.
  package init(
    of response: TargetResponse, _ format: PageFormat, forge: Forge = .gitHub
  ) throws(NetworkError) {
    guard response.status.code != 204 || !response.body.isEmpty else { return }
    // Forgejo and Gitea send null for some empty lists.
    if forge != .gitHub, response.body.prefix(5).filter({ $0 > 0x20 }) == Data("null".utf8) {
      totalCount = format == .searchResults ? 0 : nil
      return
    }
    // Their searches for issues are lists.
    let isList = forge != .gitHub && response.body.first == UInt8(ascii: "[")
    guard let page = try? JSONPage(response.body, isList ? .array : format) else {
      try read(response, format)
      return
    }
    (totalCount, isIncomplete, outcome) = (page.totalCount, page.isIncomplete, page.outcome)
    if forge != .gitHub, format == .searchResults {
      totalCount = response.headers[.totalCount].flatMap { Int($0) } ?? totalCount
    }
    items.reserveCapacity(page.entries.count)
    var count = JSONCount(in: response.body)
    let decoder = GitHubJSON.decoder()
    for (index, range) in page.entries.enumerated() {
      let entry = response.body[range]
      do {
        try count.add(entry)
        items.append(try decoder.decode(Item.self, fromServer: entry, isChecked: true))
      } catch {
        unreadable.append(UnreadableEntry(entry, index: index, reason: response.explain(error)))
      }
    }
    // If none of the entries can be decoded, the response as a whole is invalid.
    if items.isEmpty, !unreadable.isEmpty { try read(response, format) }
  }

  /// The number of entries, including unreadable ones.
  package var count: Int { items.count + unreadable.count }

  /// Decodes the page as a whole, because this gives the best error.
  private mutating func read(_ response: TargetResponse, _ format: PageFormat) throws(NetworkError)
  {
    switch format {
    case .array:
      items = try response.decode(using: GitHubJSON.decoder())
    case .searchResults:
      let results: SearchResults<Item> = try response.decode(using: GitHubJSON.decoder())
      items = results.items
    }
    unreadable = []
  }
}

private struct JSONCount {
  private var remaining = GitHubJSON.maximumCount
  /// Whether values are counted. A value uses at least two bytes, so the values of a short page needn't be counted.
  private let isCounting: Bool

  init(in body: Data) {
    isCounting = body.count / 2 > GitHubJSON.maximumCount
  }

  mutating func add(_ json: Data) throws(JSONProblem) {
    guard isCounting else { return }
    remaining -= try JSONProblem.count(
      in: json, upTo: remaining, of: GitHubJSON.maximumCount)
  }
}

private struct JSONPage {
  private(set) var entries: [Range<Int>] = []
  private(set) var totalCount: Int?
  private(set) var isIncomplete = false
  private(set) var outcome: IssueSearchOutcome?

  init(_ body: Data, _ format: PageFormat) throws {
    self = try unsafe body.withUnsafeBytes { bytes in
      var (page, reader) = unsafe (Self(), JSONReader(bytes))
      try page.read(&reader, format)
      try reader.end()
      return page
    }
    // A slice has the indices of its base.
    let start = body.startIndex
    if start != 0 { entries = entries.map { $0.lowerBound + start..<$0.upperBound + start } }
  }

  private init() {}

  private mutating func read(_ reader: inout JSONReader, _ format: PageFormat) throws {
    // For a search without results, some servers send an empty list.
    guard format == .searchResults, try reader.peek() == UInt8(ascii: "{") else {
      try readEntries(&reader)
      guard format == .array || entries.isEmpty else { throw reader.problem("a list") }
      totalCount = format == .array ? nil : 0
      return
    }
    var hasItems = false
    var kind: IssueSearchKind?
    var reasons: [String] = []
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      // Forgejo and Gitea call it `data`.
      case "items", "data":
        guard !hasItems else { throw reader.problem("two lists") }
        hasItems = true
        try readEntries(&reader)
      case "total_count": totalCount = try reader.integerIfAny().flatMap { Int(exactly: $0) }
      case "incomplete_results": isIncomplete = try reader.booleanIfAny() ?? false
      case "search_type": kind = try reader.stringIfAny().flatMap(IssueSearchKind.init)
      case "lexical_fallback_reason": reasons = try Self.strings(&reader)
      default: try reader.skip()
      }
    }
    outcome = kind.map { IssueSearchOutcome($0, fallbackReasons: reasons) }
    guard hasItems else { throw reader.problem("no list") }
    totalCount = totalCount ?? entries.count
  }

  /// Reads a short list of strings. Other values are ignored.
  private static func strings(_ reader: inout JSONReader) throws -> [String] {
    guard try reader.peek() == UInt8(ascii: "[") else {
      try reader.skip()
      return []
    }
    var strings: [String] = []
    try reader.beginArray()
    while try reader.nextElement() {
      if let string = try reader.stringIfAny(), strings.count < 10 { strings.append(string) }
    }
    return strings
  }

  private mutating func readEntries(_ reader: inout JSONReader) throws {
    try reader.beginArray()
    while try reader.nextElement() {
      let start = try reader.start()
      try reader.skip()
      entries.append(start..<reader.position)
      // Reports of invalid entries use memory too.
      guard entries.count <= GitHubJSON.maximumCount else {
        throw reader.problem("too many entries")
      }
    }
  }
}

/// An entry of a list that couldn't be decoded.
public struct UnreadableEntry: Sendable, Hashable, CustomStringConvertible {
  /// The name of the entry: `#12`, the name of a repository, or the position on the page.
  public let name: String
  /// The reason that the entry couldn't be decoded.
  public let reason: String

  /// The name and the reason.
  public var description: String { "\(name) (\(reason))" }

  init(_ json: Data, index: Int, reason: String) {
    name = Self.name(in: json) ?? "entry \(index + 1) of its page"
    self.reason = reason
  }

  private static func name(in json: Data) -> String? {
    unsafe json.withUnsafeBytes { bytes -> String? in
      var reader = unsafe JSONReader(bytes)
      guard (try? reader.beginObject()) != nil else { return nil }
      while let name = (try? reader.nextName()) ?? nil {
        switch name {
        case "number":
          if let number = try? reader.integer() { return "#\(number)" }
          return nil
        case "full_name":
          let name = (try? reader.string()) ?? ""
          return RepositoryName(name).map { "\($0)" }
        default:
          guard (try? reader.skip()) != nil else { return nil }
        }
      }
      return nil
    }
  }
}

/// The error for entries of a list that couldn't be decoded. The list continues after such entries, but ends with this
/// error, so it never looks complete.
public struct UnreadableEntries: Error, Sendable, Hashable, CustomStringConvertible {
  private static let maximumNames = 10

  /// The first such entries.
  public private(set) var entries: [UnreadableEntry] = []
  /// The number of all such entries.
  public private(set) var count = 0

  /// The number and the names of the entries.
  public var description: String {
    let names = entries.map(\.description).joined(separator: ", ")
    let rest = count > entries.count ? " and \(count - entries.count) more" : ""
    return
      (count == 1
      ? "1 entry is missing because it can't be read: "
      : "\(count) entries are missing because they can't be read: ")
      + names + rest
  }

  package init() {}

  package mutating func add(_ new: [UnreadableEntry]) {
    count += new.count
    entries += new.prefix(max(0, Self.maximumNames - entries.count))
  }

  var error: NetworkError { NetworkError(.decoding, "\(self)", underlying: self) }
}
