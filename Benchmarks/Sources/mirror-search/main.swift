// Measures the search of the mirror: the cost of indexing a text, and the time of searches.
//
//   mirror-search FILE [ISSUES]
//
// Makes the mirror FILE with ISSUES issues (100,000) unless it exists, and keeps it. Times are those of the processor.
// A search runs on one core, so other programs hardly change them.
import BenchmarkCorpus
import GitHubAPI
import Glibc
import IssueMirror

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

func processorTime() -> Double {
  var usage = rusage()
  unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

let path = CommandLine.arguments[1]
let count = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 100_000 : 100_000
let isThere = FileManager.default.fileExists(atPath: path)
let mirror = try Mirror(path: path)
var corpus = Corpus()
if !isThere {
  let json = Data(#"{"id":1,"full_name":"a/b","name":"b","owner":{"login":"a"}}"#.utf8)
  let repository = try await mirror.record(
    try GitHubJSON.decode(GitHub.Repository.self, from: json), json: json, on: "github.com",
    at: Date())
  // As several streams of a first sync deliver them.
  let pages = (0..<count / 100).map { page in
    (0..<100).map { (page + $0 * (count / 100)) * 7_919 % count + 1 }
  }
  var storing = 0.0
  for numbers in pages {
    let page = try FeedPage(corpus.page(numbers), of: .items)
    let start = processorTime()
    try await mirror.store(page, of: repository, sweep: nil, at: Date())
    storing += processorTime() - start
  }
  print("storing: \(rounded(storing / Double(count) * 1e6)) µs an issue")
  print("size: \(mirror.size() / 1_000_000) MB")
}
let repositories = try await mirror.repositories()

@MainActor func measure(_ name: String, _ queries: [String]) async throws {
  var times: [Double] = []
  var found = 0
  var slowest = (time: 0.0, query: "")
  for text in queries {
    let query = try SearchQuery(parsing: text)
    let start = processorTime()
    found += try await mirror.search(query, in: repositories, limit: 30).count
    let milliseconds = (processorTime() - start) * 1e3
    times.append(milliseconds)
    if milliseconds > slowest.time { slowest = (milliseconds, text) }
  }
  times.sort()
  func at(_ share: Double) -> Double { rounded(times[Int(Double(times.count - 1) * share)]) }
  print(
    "\(name): median \(at(0.5)) ms, p95 \(at(0.95)) ms, most \(at(1)) ms (\(slowest.query)); "
      + "\(found / queries.count) results")
}

var words = corpus
@MainActor func pick(_ ranks: ClosedRange<Int>) -> String {
  corpus.words[ranks.randomElement() ?? 0]
}
try await measure("warm up", (0..<20).map { _ in "\(words.word()) \(words.word())" })
try await measure("two words as in texts", (0..<300).map { _ in "\(words.word()) \(words.word())" })
try await measure("two frequent words", (0..<100).map { _ in "\(pick(0...30)) \(pick(0...30))" })
try await measure(
  "two of the 1,000 most frequent", (0..<200).map { _ in "\(pick(0...999)) \(pick(0...999))" })
try await measure(
  "two rare words", (0..<100).map { _ in "\(pick(1_000...49_999)) \(pick(1_000...49_999))" })
try await measure("one frequent word", (0..<50).map { _ in pick(0...30) })
try await measure("open ones", (0..<100).map { _ in "is:open \(words.word()) \(words.word())" })
try await measure(
  "of an author", (0..<100).map { _ in "author:user7 \(pick(0...30)) \(words.word())" })
try await measure(
  "with a label", (0..<100).map { _ in "label:\"label 7\" \(pick(0...30)) \(words.word())" })
try await measure("a phrase", (0..<50).map { _ in "\"\(pick(0...30)) \(pick(0...30))\"" })
try await measure(
  "being typed, 1 letter", (0..<26).map { "\(pick(0...99)) \(UnicodeScalar(UInt8(97 + $0)))*" })
try await measure(
  "being typed, 2 letters", (0..<50).map { _ in "\(pick(0...99)) \(words.word().prefix(2))*" })
try await measure(
  "being typed, 3 letters", (0..<50).map { _ in "\(pick(0...99)) \(words.word().prefix(3))*" })
try await measure("one prefix of 1 letter", (0..<26).map { "\(UnicodeScalar(UInt8(97 + $0)))*" })
try await measure("excluding", (0..<50).map { _ in "\(pick(0...30)) -\(pick(0...30))" })
try await measure("by date", (0..<50).map { _ in "\(pick(0...300)) \(pick(0...300)) sort:created" })
try await measure("without words", Array(repeating: "is:open label:\"label 7\"", count: 20))
