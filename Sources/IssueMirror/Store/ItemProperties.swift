internal import GitHubAPI
package import PlatformModules

/// Replaces labels and milestones in an item's JSON with those of the lists. The server sends the same objects in both
/// places, so the result is byte for byte the JSON that it would send now.
package struct ItemProperties {
  enum Place {
    case labels(Range<Int>, [ListedLabel])
    case milestone(Range<Int>, FeedPage.Milestone?)
  }

  package struct Result {
    package var json: Data
    package var labels: [FeedPage.Label] = []
    package var milestone: FeedPage.Milestone?
  }

  private let labels: [Int64: ListedLabel]
  private let labelNames: Set<String>
  private let milestones: [Int: FeedPage.Milestone]
  private let gone: Set<MissingProperty>

  package init(
    labels: [ListedLabel], milestones: [FeedPage.Milestone], gone: Set<MissingProperty>
  ) {
    self.labels = Dictionary(
      labels.compactMap { label in label.label.id.map { ($0, label) } },
      uniquingKeysWith: { first, _ in first })
    labelNames = Set(labels.map { $0.label.name.lowercased() })
    self.milestones = Dictionary(
      milestones.compactMap { milestone in milestone.number.map { ($0, milestone) } },
      uniquingKeysWith: { first, _ in first })
    self.gone = gone
  }

  /// Names are unique, so if a listed label has the same name and another id, this label was deleted.
  package func isOutdated(_ label: FeedPage.Label) -> Bool {
    guard let id = label.id else { return false }
    if let listed = labels[id] { return listed.label != label }
    return labelNames.contains(label.name.lowercased()) || gone.contains(.label(id))
  }

  package func isOutdated(_ milestone: FeedPage.Milestone) -> Bool {
    guard let number = milestone.number else { return false }
    return milestones[number].map { !$0.looksLike(milestone) } ?? gone.contains(.milestone(number))
  }

  /// Nil if the JSON is unreadable before or after the change.
  package func applied(to json: Data) -> Result? {
    let places = unsafe json.withUnsafeBytes { bytes in
      var decoder = unsafe FeedPageDecoder(json, bytes)
      return try? decoder.propertyPlaces()
    }
    guard let places else { return nil }
    var result = Result(json: Data())
    var end = 0
    func replace(_ range: Range<Int>, by bytes: Data) {
      result.json += json[(json.startIndex + end)..<(json.startIndex + range.lowerBound)] + bytes
      end = range.upperBound
    }
    for place in places {
      switch place {
      case .labels(let range, let found):
        let present = found.compactMap(present)
        result.labels = present.map(\.label)
        guard found.contains(where: { isOutdated($0.label) }) else { continue }
        var list = Data("[".utf8)
        for (index, label) in present.enumerated() {
          list += Data(index > 0 ? ",".utf8 : "".utf8) + label.json
        }
        replace(range, by: list + Data("]".utf8))
      case .milestone(let range, let found):
        result.milestone = found.flatMap(present)
        guard let found, isOutdated(found) else { continue }
        replace(range, by: result.milestone?.json ?? Data("null".utf8))
      }
    }
    replace(json.count..<json.count, by: Data())
    guard result.json == json || (try? FeedPage.Entry(item: result.json)) != nil else {
      return nil
    }
    return result
  }

  private func present(_ label: ListedLabel) -> ListedLabel? {
    isOutdated(label.label) ? label.label.id.flatMap { labels[$0] } : label
  }

  private func present(_ milestone: FeedPage.Milestone) -> FeedPage.Milestone? {
    isOutdated(milestone) ? milestone.number.flatMap { milestones[$0] } : milestone
  }
}

/// A label or milestone, identified by a value that doesn't change when it is renamed.
package enum MissingProperty: Hashable, Sendable {
  case label(Int64)
  case milestone(Int)
}

package enum UnlistedProperty: Hashable, Sendable {
  case label(Int64, name: String)
  case milestone(Int)

  package var property: MissingProperty {
    switch self {
    case .label(let id, _): .label(id)
    case .milestone(let number): .milestone(number)
    }
  }

  /// The properties in the store that are missing from a list; empty without a list.
  package static func among(
    labels: [(id: Int64, name: String)], notIn listed: [ListedLabel]
  ) -> [UnlistedProperty] {
    let ids = Set(listed.map(\.label.id))
    let names = Set(listed.map { $0.label.name.lowercased() })
    return labels.filter { !ids.contains($0.id) && !names.contains($0.name.lowercased()) }
      .map { .label($0.id, name: $0.name) }
  }

  package static func among(
    milestones: [Int], notIn listed: [FeedPage.Milestone]
  ) -> [UnlistedProperty] {
    let numbers = Set(listed.compactMap(\.number))
    return milestones.filter { !numbers.contains($0) }.map { .milestone($0) }
  }
}

protocol ListedProperty: Sendable {
  /// An identifier that doesn't change when the entry is renamed; nil if the server doesn't send one.
  var identifier: Int64? { get }

  /// The size limit of an entry, in bytes.
  static var longest: Int { get }

  init(_ decoder: inout FeedPageDecoder) throws(JSONReader.Problem)

  static func list(of name: String, page: Int, pageSize: Int) -> GitHub
}

package struct ListedLabel: ListedProperty {
  package var label: FeedPage.Label
  package var json: Data

  package init(label: FeedPage.Label, json: Data) {
    self.label = label
    self.json = json
  }

  /// GitHub limits a name to 50 characters, which also appear in the URL, and a description to 100.
  static let longest = 16 << 10

  init(_ decoder: inout FeedPageDecoder) throws(JSONReader.Problem) {
    self = try decoder.listedLabel()
  }

  var identifier: Int64? { label.id }

  static func list(of name: String, page: Int, pageSize: Int) -> GitHub {
    .labels(repositoryFullName: name, page: page, pageSize: pageSize)
  }
}

extension FeedPage.Milestone: ListedProperty {
  static let longest = 256 << 10

  init(_ decoder: inout FeedPageDecoder) throws(JSONReader.Problem) {
    self = try decoder.listedMilestone()
  }

  var identifier: Int64? { number.map(Int64.init) }

  static func list(of name: String, page: Int, pageSize: Int) -> GitHub {
    .milestones(repositoryFullName: name, page: page, pageSize: pageSize)
  }

  /// Ignores the counts of issues, which change on their own.
  package func looksLike(_ other: Self) -> Bool {
    number == other.number && title == other.title && state == other.state
      && description == other.description && dueOn == other.dueOn
  }
}

package enum PropertyList: String, Sendable {
  /// The list at `GET /repos/{owner}/{repo}/labels`.
  case labels
  /// The list at `GET /repos/{owner}/{repo}/milestones`.
  case milestones
}

package struct ListedPages<Entry: Sendable>: Sendable {
  package var entries: [Entry]
  /// One tag for each page; empty if a page doesn't have one.
  package var entityTags: [String]

  package init(_ entries: [Entry], entityTags: [String] = []) {
    self.entries = entries
    self.entityTags = entityTags
  }
}
