package import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What is on a page, however it is written.
///
/// Entries are decoded one by one, so that one that can't be read takes none of the others with it. Together they
/// have as many values as a ``HTTPTargets/JSONProblem`` allows: one with which there would be more isn't read.
package struct PageContents<Item: Decodable & Sendable>: Sendable {
  package private(set) var items: [Item] = []
  /// The entries that couldn't be read.
  package private(set) var unreadable: [UnreadableEntry] = []
  /// How many items a search found in all; nil where the list is no search's.
  private(set) var totalCount: Int?
  /// Whether a search ran out of time.
  private(set) var isIncomplete = false

  /// Reads a page. No content is a page without entries.
  ///
  /// - Throws: ``HTTPTargets/NetworkError/Code/decoding`` when it isn't written in the format, or none of its
  ///   entries can be read.
  package init(of response: Response, _ format: PageFormat) throws(NetworkError) {
    guard response.status.code != 204 || !response.body.isEmpty else { return }
    guard let page = try? JSONPage(response.body, format) else {
      try read(response, format)
      return
    }
    (totalCount, isIncomplete) = (page.totalCount, page.isIncomplete)
    items.reserveCapacity(page.entries.count)
    let decoder = GitHubJSON.decoder()
    var count = JSONCount(upTo: JSONProblem.maximumCount, in: response.body)
    for (index, range) in page.entries.enumerated() {
      let json = response.body[range]
      do {
        try count.add(json)
        items.append(try decoder.decode(Item.self, fromServer: json, isChecked: true))
      } catch {
        unreadable.append(
          UnreadableEntry(json, index: index, reason: response.explain(error)))
      }
    }
    // Then it is the answer that is wrong, and not an entry.
    if items.isEmpty, !unreadable.isEmpty { try read(response, format) }
  }

  /// Decodes the whole, which says best what is wrong with it.
  private mutating func read(_ response: Response, _ format: PageFormat) throws(NetworkError) {
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

/// How many values have been read of a page.
private struct JSONCount {
  private var remaining: Int
  /// A value takes two bytes at least: of a short page none need be counted.
  private let isCounting: Bool

  init(upTo maximum: Int, in body: Data) {
    remaining = maximum
    isCounting = body.count / 2 > maximum
  }

  /// Adds an entry, unless there are too many values with it.
  mutating func add(_ json: Data) throws(JSONProblem) {
    guard isCounting else { return }
    remaining -= try JSONProblem.count(in: json, upTo: remaining)
  }
}

/// Where the entries of a page stand.
private struct JSONPage {
  private(set) var entries: [Range<Int>] = []
  private(set) var totalCount: Int?
  private(set) var isIncomplete = false

  init(_ body: Data, _ format: PageFormat) throws {
    self = try body.withUnsafeBytes { bytes in
      var (page, reader) = (Self(), JSONReader(bytes))
      try page.read(&reader, format)
      try reader.end()
      return page
    }
    // The range of a slice is the one of its whole.
    let start = body.startIndex
    if start != 0 { entries = entries.map { $0.lowerBound + start..<$0.upperBound + start } }
  }

  private init() {}

  private mutating func read(_ reader: inout JSONReader, _ format: PageFormat) throws {
    // A search that finds nothing may be answered as a list without entries.
    guard format == .searchResults, try reader.peek() == UInt8(ascii: "{") else {
      try readEntries(&reader)
      guard format == .array || entries.isEmpty else { throw reader.problem("a list") }
      totalCount = format == .array ? nil : 0
      return
    }
    var hasItems = false
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "items":
        guard !hasItems else { throw reader.problem("two lists") }
        hasItems = true
        try readEntries(&reader)
      case "total_count": totalCount = try reader.integerIfAny().flatMap { Int(exactly: $0) }
      case "incomplete_results": isIncomplete = try reader.booleanIfAny() ?? false
      default: try reader.skip()
      }
    }
    guard hasItems else { throw reader.problem("no list") }
    totalCount = totalCount ?? entries.count
  }

  private mutating func readEntries(_ reader: inout JSONReader) throws {
    try reader.beginArray()
    while try reader.nextElement() {
      let start = try reader.start()
      try reader.skip()
      entries.append(start..<reader.position)
      // What is told of an entry that can't be read takes memory too.
      guard entries.count <= JSONProblem.maximumCount else {
        throw reader.problem("too many entries")
      }
    }
  }
}

/// An entry of a list that couldn't be read.
public struct UnreadableEntry: Sendable, Hashable, CustomStringConvertible {
  /// What it is called: `#12`, the name of a repository, or its place on the page.
  public let name: String
  /// Why it couldn't be read.
  public let reason: String

  /// The name and the reason.
  public var description: String { "\(name) (\(reason))" }

  init(_ json: Data, index: Int, reason: String) {
    name = Self.name(in: json) ?? "entry \(index + 1) of its page"
    self.reason = reason
  }

  /// What the entry says that it is called, as far as that can be read.
  private static func name(in json: Data) -> String? {
    json.withUnsafeBytes { bytes -> String? in
      var reader = JSONReader(bytes)
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

/// Entries of a list that couldn't be read: it goes on without them, and ends in this error, so that it never looks
/// whole.
public struct UnreadableEntries: Error, Sendable, Hashable, CustomStringConvertible {
  /// How many are named at most.
  private static let maximumNames = 10

  /// The entries, as far as they are named.
  public private(set) var entries: [UnreadableEntry] = []
  /// How many there are.
  public private(set) var count = 0

  /// How many they are, and which.
  public var description: String {
    let names = entries.map(\.description).joined(separator: ", ")
    let rest = count > entries.count ? " and \(count - entries.count) more" : ""
    return
      (count == 1
      ? "1 entry is missing, which can't be read: "
      : "\(count) entries are missing, which can't be read: ")
      + names + rest
  }

  /// None yet.
  package init() {}

  /// Counts more of them.
  package mutating func add(_ new: [UnreadableEntry]) {
    count += new.count
    entries += new.prefix(max(0, Self.maximumNames - entries.count))
  }

  var error: NetworkError { NetworkError(.decoding, "\(self)", underlying: self) }
}
