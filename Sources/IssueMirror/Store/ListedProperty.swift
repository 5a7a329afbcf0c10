internal import GitHubAPI

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A label or a milestone as the list of a repository's has it.
protocol ListedProperty: Sendable {
  /// What tells it from others when it is renamed; nil where the server gives nothing of the kind.
  var identifier: Int64? { get }

  /// How many bytes one has at most.
  static var longest: Int { get }

  /// Reads the next one.
  init(_ decoder: inout TimelineDecoder) throws(JSONReader.Problem)

  /// A page of a repository's list of them, numbered from 1.
  static func list(of name: String, page: Int) -> GitHub
}

/// A label with the bytes that the server sent.
package struct ListedLabel: ListedProperty {
  /// The label.
  package var label: TimelinePage.Label
  /// The label as the server sent it.
  package var json: Data

  /// Makes a label.
  package init(label: TimelinePage.Label, json: Data) {
    self.label = label
    self.json = json
  }

  /// GitHub's have a name of 50 characters, which stands in an address too, and a description of 100.
  static let longest = 16 << 10

  init(_ decoder: inout TimelineDecoder) throws(JSONReader.Problem) {
    self = try decoder.listedLabel()
  }

  var identifier: Int64? { label.id }

  static func list(of name: String, page: Int) -> GitHub {
    .labels(repositoryFullName: name, page: page, pageSize: SweepAnswer.pageSize)
  }
}

extension TimelinePage.Milestone: ListedProperty {
  /// A description is a text of some pages.
  static let longest = 256 << 10

  init(_ decoder: inout TimelineDecoder) throws(JSONReader.Problem) {
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
