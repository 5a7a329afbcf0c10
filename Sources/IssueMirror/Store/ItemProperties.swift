internal import GitHubAPI

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What happens to the labels and milestones of items when those of their repository change.
///
/// Their objects in an item's JSON are replaced by those of the lists. The objects are the same, so the result is
/// what the server would send now, byte for byte. So reading needs nothing special, by columns or by JSON.
struct ItemProperties {
  /// The bytes of labels or a milestone in an item's JSON.
  enum Place {
    case labels(Range<Int>, [ListedLabel])
    case milestone(Range<Int>, FeedPage.Milestone?)
  }

  struct Result {
    var json: Data
    var labels: [FeedPage.Label] = []
    var milestone: FeedPage.Milestone?
  }

  private let labels: [Int64: ListedLabel]
  private let labelNames: Set<String>
  private let milestones: [Int: FeedPage.Milestone]
  private let gone: Set<MissingProperty>

  /// Prepares to change items. Labels and milestones that are neither listed nor gone stay.
  init(
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

  /// Whether a label differs from the listed one, or was deleted. A label with a listed name and another id was
  /// deleted too, because names are unique.
  func isOutdated(_ label: FeedPage.Label) -> Bool {
    guard let id = label.id else { return false }
    if let listed = labels[id] { return listed.label != label }
    return labelNames.contains(label.name.lowercased()) || gone.contains(.label(id))
  }

  /// Whether a milestone differs from the listed one, or was deleted.
  func isOutdated(_ milestone: FeedPage.Milestone) -> Bool {
    guard let number = milestone.number else { return false }
    return milestones[number].map { !$0.looksLike(milestone) } ?? gone.contains(.milestone(number))
  }

  /// Changes the JSON of an item; nil if it can't be read, or couldn't be afterwards.
  func applied(to json: Data) -> Result? {
    let places = json.withUnsafeBytes { bytes in
      var decoder = FeedPageDecoder(json, bytes)
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
    // Nested more deeply, it may be unreadable.
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

/// A label or a milestone, identified by what survives a renaming.
package enum MissingProperty: Hashable, Sendable {
  case label(Int64)
  case milestone(Int)
}

/// A label or a milestone of items that isn't in its repository's list.
package enum UnlistedProperty: Hashable, Sendable {
  /// A label, by its id and the name to look it up.
  case label(Int64, name: String)
  case milestone(Int)

  package var property: MissingProperty {
    switch self {
    case .label(let id, _): .label(id)
    case .milestone(let number): .milestone(number)
    }
  }
}

protocol ListedProperty: Sendable {
  /// What survives a renaming; nil if the server gives nothing.
  var identifier: Int64? { get }

  /// The most bytes that one may have.
  static var longest: Int { get }

  init(_ decoder: inout FeedPageDecoder) throws(JSONReader.Problem)

  /// A page of a repository's list, numbered from 1.
  static func list(of name: String, page: Int) -> GitHub
}

package struct ListedLabel: ListedProperty {
  package var label: FeedPage.Label
  /// The label as the server sent it.
  package var json: Data

  package init(label: FeedPage.Label, json: Data) {
    self.label = label
    self.json = json
  }

  /// On GitHub, a name has 50 characters, which also appear in an address, and a description 100.
  static let longest = 16 << 10

  init(_ decoder: inout FeedPageDecoder) throws(JSONReader.Problem) {
    self = try decoder.listedLabel()
  }

  var identifier: Int64? { label.id }

  static func list(of name: String, page: Int) -> GitHub {
    .labels(repositoryFullName: name, page: page, pageSize: SweepAnswer.pageSize)
  }
}

extension FeedPage.Milestone: ListedProperty {
  /// A description may have some pages.
  static let longest = 256 << 10

  init(_ decoder: inout FeedPageDecoder) throws(JSONReader.Problem) {
    self = try decoder.listedMilestone()
  }

  var identifier: Int64? { number.map(Int64.init) }

  static func list(of name: String, page: Int) -> GitHub {
    .milestones(repositoryFullName: name, page: page, pageSize: SweepAnswer.pageSize)
  }

  /// Whether they look the same to people. The counts of issues change by themselves.
  func looksLike(_ other: Self) -> Bool {
    number == other.number && title == other.title && state == other.state
      && description == other.description && dueOn == other.dueOn
  }
}

package enum PropertyList: String, Sendable {
  /// `GET /repos/{owner}/{repo}/labels`.
  case labels
  /// `GET /repos/{owner}/{repo}/milestones`.
  case milestones
}

/// A complete list.
package struct ListedPages<Entry: Sendable>: Sendable {
  package var entries: [Entry]
  /// The entity tag of each page; empty if a page has none.
  package var entityTags: [String]

  package init(_ entries: [Entry], entityTags: [String] = []) {
    self.entries = entries
    self.entityTags = entityTags
  }
}
