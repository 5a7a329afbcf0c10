/// Checks and measures a mirror.
///
///     mirror-measure compare FILE API-URL OWNER/REPO
///     mirror-measure search FILE COUNT QUERIES
///
/// `compare` reads the whole list from the server, compares it byte by byte with the mirror of its one repository, and
/// prints the number of items.
///
/// `search` searches COUNT times for two words that stand together in some title. It prints the median and the 95th
/// percentile in microseconds, and writes the queries to a file, one per line.
@main
struct MirrorMeasure {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("compare", 4):
      let comparison = try Comparison(file: arguments[1], apiURL: arguments[2])
      print(try await comparison.run(arguments[3]))
    case ("search", 4):
      guard let count = Int(arguments[2]), count > 0 else { fallthrough }
      let searches = try Searches(file: arguments[1], count: count)
      print(try await searches.run(writing: arguments[3]))
    default:
      throw Failure(
        description: """
          usage: mirror-measure compare FILE API-URL OWNER/REPO | search FILE COUNT QUERIES
          """)
    }
  }
}
