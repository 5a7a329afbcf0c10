internal import ArgumentParser
internal import IssueBrowser
internal import IssueTracker
internal import StyledText

struct SaveOptions: ParsableArguments {
  @Option(
    name: .customLong("save"),
    help: ArgumentHelp(
      "Save the list as a view in your configuration instead of showing it.",
      valueName: "@name"),
    completion: .custom(ViewCompletion.candidates),
    transform: ValueReader.viewName)
  var name: String?

  @Flag(help: "With --save: replace the view of that name.")
  var force = false

  func validate() throws {
    guard !force || name != nil else {
      throw ValidationError("--force only makes sense with --save.")
    }
  }
}

/// A list as a view.
struct ListedView: Sendable {
  let name: String
  let filter: FilterRequest
  /// In the words of GitHub's search.
  let search: String?
  let scope: ListScope
  /// nil where none was given.
  let limit: Int?

  func view() throws(CommandFailure) -> SavedView {
    if case .number = filter.milestone {
      throw CommandFailure(.usage, "a view knows milestones by their titles")
    }
    let hasOrder = filter.sort != nil || filter.order != nil
    guard !hasOrder || !QueryWord.tellsOrder(search ?? "") else {
      throw CommandFailure(.usage, "the search has its own order: leave out --sort and --order")
    }
    var words: [String] = []
    var place = SavedView.Place.here
    switch scope {
    case .one(let argument):
      guard argument.issueNumber == nil else {
        throw CommandFailure(.usage, "an issue can't be saved as a view: name its repository")
      }
      if let named = argument.repository.named { place = .repositories([named]) }
    case .user(let user): words.append("user:\(user)")
    case .several(let sources):
      let references = sources.compactMap { source in
        if case .repository(let reference) = source { reference } else { nil }
      }
      if references.count == sources.count {
        place = .repositories(references)
      } else {
        let places = sources.map { source in
          if case .repository(let reference) = source {
            "repo:\(reference.name)"
          } else {
            source.word
          }
        }
        words.append(places.count > 1 ? "(\(places.joined(separator: " OR ")))" : places[0])
      }
    }
    if let search {
      words.append(QueryWord.hasAlternatives(search) ? "(\(search))" : search)
    }
    switch filter.state {
    case .closed: words.append("is:closed")
    case .open, nil: if !QueryWord.tellsState(search ?? "") { words.append("is:open") }
    // Where no state is named, a view has all.
    case .all: break
    }
    words += filter.qualifiers()
    let query = words.joined(separator: " ")
    return SavedView(
      name: name, query: query,
      sort: hasOrder
        ? "\((filter.sort ?? .created).rawValue)-\((filter.order ?? .descending).rawValue)" : nil,
      place: QueryWord.namesPlace(query) ? .everywhere : place, limit: limit)
  }

  func save(replaces: Bool, _ session: CommandSession) throws {
    let file = try session.configurationFile()
    let lines = try file.save(try view(), replaces: replaces)
    session.errors.write(
      "Wrote this to \(file.path):\n\n\(lines)\n'issues @\(name)' shows it, as does a tab of 'issues browse'."
    )
  }
}
