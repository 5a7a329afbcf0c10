internal import ArgumentParser
internal import IssueTracker

/// Checks the search of `--where`: a slip would change issues that nobody meant.
enum BulkQuery {
  /// - Throws: A usage error that says what was probably meant.
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
  /// Whether it says `is:all`, which only lists know.
  static func tellsBothStates(_ text: String) -> Bool {
    search(text) { ["is", "state"].contains($0.name) && $0.value.lowercased() == "all" }
  }
}
