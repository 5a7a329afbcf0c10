internal import GitHubAPI

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What the labels and milestones of items become where those of their repository have changed.
///
/// Their objects within an item's JSON are replaced by those of the lists, which are the same objects: what comes of
/// it is what the server would send of the item now. So whatever reads items, by columns or by their JSON, sees one
/// truth, at no cost for reading; and an item that comes from the server later is the same, byte for byte.
struct ItemProperties {
  /// Where something stands in the JSON of an item.
  enum Place {
    case labels(Range<Int>, [ListedLabel])
    case milestone(Range<Int>, FeedPage.Milestone?)
  }

  /// What becomes of an item.
  struct Result {
    var json: Data
    var labels: [FeedPage.Label] = []
    var milestone: FeedPage.Milestone?
  }

  private let labels: [Int64: ListedLabel]
  private let labelNames: Set<String>
  private let milestones: [Int: FeedPage.Milestone]
  private let gone: Set<MissingProperty>

  /// Prepares to change items. What is neither listed nor gone stays as it is.
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

  /// Whether a label isn't as it is listed, or was deleted. One of another id under the name of a listed one was, too:
  /// a repository has each name once.
  func isOutdated(_ label: FeedPage.Label) -> Bool {
    guard let id = label.id else { return false }
    if let listed = labels[id] { return listed.label != label }
    return labelNames.contains(label.name.lowercased()) || gone.contains(.label(id))
  }

  /// Whether a milestone isn't as it is listed, or was deleted.
  func isOutdated(_ milestone: FeedPage.Milestone) -> Bool {
    guard let number = milestone.number else { return false }
    return milestones[number].map { !$0.looksLike(milestone) } ?? gone.contains(.milestone(number))
  }

  /// Changes an item.
  ///
  /// - Parameter json: The item as it is kept.
  /// - Returns: The item as it is to be; nil where it can't be read, or couldn't be then.
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
    // Nested deeper than it was, for one, it couldn't be read any more.
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

/// A label or a milestone, by what stays when it is renamed.
package enum MissingProperty: Hashable, Sendable {
  /// A label, by its id.
  case label(Int64)
  /// A milestone, by its number.
  case milestone(Int)
}

/// A label or a milestone that items have and their repository's list hasn't.
package enum UnlistedProperty: Hashable, Sendable {
  /// A label, by its id and by the name to ask for it.
  case label(Int64, name: String)
  /// A milestone, by its number.
  case milestone(Int)

  /// What stays when it is renamed.
  package var property: MissingProperty {
    switch self {
    case .label(let id, _): .label(id)
    case .milestone(let number): .milestone(number)
    }
  }
}

/// A label or a milestone as the list of a repository's has it.
protocol ListedProperty: Sendable {
  /// What tells it from others when it is renamed; nil where the server gives nothing of the kind.
  var identifier: Int64? { get }

  /// How many bytes one has at most.
  static var longest: Int { get }

  /// Reads the next one.
  init(_ decoder: inout FeedPageDecoder) throws(JSONReader.Problem)

  /// A page of a repository's list of them, numbered from 1.
  static func list(of name: String, page: Int) -> GitHub
}

/// A label with the bytes that the server sent.
package struct ListedLabel: ListedProperty {
  /// The label.
  package var label: FeedPage.Label
  /// The label as the server sent it.
  package var json: Data

  /// Makes a label.
  package init(label: FeedPage.Label, json: Data) {
    self.label = label
    self.json = json
  }

  /// GitHub's have a name of 50 characters, which stands in an address too, and a description of 100.
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
  /// A description is a text of some pages.
  static let longest = 256 << 10

  init(_ decoder: inout FeedPageDecoder) throws(JSONReader.Problem) {
    self = try decoder.listedMilestone()
  }

  var identifier: Int64? { number.map(Int64.init) }

  static func list(of name: String, page: Int) -> GitHub {
    .milestones(repositoryFullName: name, page: page, pageSize: SweepAnswer.pageSize)
  }

  /// Whether a person would see no difference: how many issues it has changes without anybody changing it.
  func looksLike(_ other: Self) -> Bool {
    number == other.number && title == other.title && state == other.state
      && description == other.description && dueOn == other.dueOn
  }
}

/// A list of what the items of a repository are given.
package enum PropertyList: String, Sendable {
  /// `GET /repos/{owner}/{repo}/labels`.
  case labels
  /// `GET /repos/{owner}/{repo}/milestones`.
  case milestones
}

/// A list that was read to its end.
package struct ListedPages<Entry: Sendable>: Sendable {
  /// What is on its pages.
  package var entries: [Entry]
  /// The entity tag of each page; none where one has none.
  package var entityTags: [String]

  /// Makes a list.
  package init(_ entries: [Entry], entityTags: [String] = []) {
    self.entries = entries
    self.entityTags = entityTags
  }
}
