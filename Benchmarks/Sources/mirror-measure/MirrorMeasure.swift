/// Looks into a mirror, for the benchmarks.
///
///     mirror-measure compare FILE API-URL OWNER/REPO
///     mirror-measure search FILE COUNT QUERIES
///
/// `compare` reads the whole list from the server and compares it, byte by byte, with what the mirror keeps of its
/// one repository; it prints how many items there are.
///
/// `search` searches the mirror for two words at a time, which stand together in some title, so many times. It prints
/// the microseconds of the median and of the 95th percentile, and writes the queries to a file, a line each.
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
