internal import ArgumentParser
internal import IssueTracker

/// Checks the search of `--where`, because a mistake would change the wrong issues.
enum BulkQuery {
  /// - Throws: A usage error that suggests the probable meaning.
  static func check(_ text: String) throws {
    if let words = try? QueryWord.words(of: text),
      let place = words.first(where: { word in
        QueryWord.places.contains(String(word.name.drop { $0 == "(" || $0 == "-" }))
      })
    {
      let name = place.name.drop { $0 == "(" || $0 == "-" }
      throw ValidationError(
        "--where searches one repository: name it with --repo, and leave out '\(name):'.")
    }
    do throws(InvalidInput) {
      try GitHubQualifier.check(text)
    } catch {
      throw ValidationError("--where: \(error.message)")
    }
  }
}

extension QueryWord {
  /// Whether the text contains `is:all`, which only lists support.
  static func tellsBothStates(_ text: String) -> Bool {
    search(text) { ["is", "state"].contains($0.name) && $0.value.lowercased() == "all" }
  }
}
