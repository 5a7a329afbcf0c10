import Foundation
import GitHubAPI
import IssueMirror

// Measures the mirror without a network: the processor time per item, from the bytes of a page to the row that filters
// and words find, the memory, and then lists of its rows.
//
//   mirror-store FOLDER FILE [PAGES]
//
// FOLDER has a server's answers, a page each, in the order of their names. FILE is made anew.

/// The process's resources so far.
struct Usage {
  /// In seconds.
  var processorTime = 0.0
  /// In MiB.
  var peakMemory = 0

  init() {
    var usage = rusage()
    #if os(Linux)
      unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      peakMemory = usage.ru_maxrss >> 10
    #else
      unsafe getrusage(RUSAGE_SELF, &usage)
      peakMemory = usage.ru_maxrss >> 20
    #endif
    for time in [usage.ru_utime, usage.ru_stime] {
      processorTime += Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
  }
}

guard CommandLine.arguments.count >= 3 else {
  print("Usage: mirror-store FOLDER FILE [PAGES]")
  exit(64)
}
let (folder, path) = (CommandLine.arguments[1], CommandLine.arguments[2])
let limit = CommandLine.arguments.count > 3 ? Int(CommandLine.arguments[3]) ?? .max : .max
let pages = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().prefix(limit)

for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
let mirror = try Mirror(path: path)
let repository = try await mirror.record(
  GitHub.Repository(id: 1, fullName: "swiftlang/swift"), json: Data("{}".utf8), on: "github.com",
  at: Date())
var (count, decoding, storing) = (0, 0.0, 0.0)
var sweep = Sweep(purpose: .first, began: 0, stretches: [])
for name in pages {
  let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
  let start = Usage().processorTime
  let page = try FeedPage(data, of: .items)
  let middle = Usage().processorTime
  sweep.began += 1
  try await mirror.store(page, of: repository, sweep: sweep, at: Date())
  storing += Usage().processorTime - middle
  decoding += middle - start
  count += page.entries.count
}

/// Microseconds for each item.
func perItem(_ seconds: Double, _ count: Int) -> String {
  String(format: "%.1f µs", seconds / Double(max(count, 1)) * 1e6)
}

print(
  "\(count) items, CPU for each: \(perItem(decoding, count)) to decode, \(perItem(storing, count)) to store; "
    + "peak memory \(Usage().peakMemory) MiB, file \(mirror.size() >> 20) MiB")

let clock = ContinuousClock()
let filters = [
  IssueFilter(), IssueFilter(state: .all, sort: .updated), IssueFilter(sort: .comments),
  IssueFilter(labels: ["bug"]),
]
for filter in filters {
  let time = try await clock.measure {
    _ = try await mirror.issues(of: repository, filter: filter, limit: 30)
  }
  print("30 of \(filter.query): \(time)")
}
let time = try await clock.measure { _ = try await mirror.counts(of: repository) }
print("Counts: \(time)")
