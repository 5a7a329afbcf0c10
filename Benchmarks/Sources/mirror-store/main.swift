import Foundation
import GitHubAPI
import IssueMirror

func cpu() -> Double {
  var u = rusage(); getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &u)
  func s(_ t: timeval) -> Double { Double(t.tv_sec) + Double(t.tv_usec) / 1e6 }
  return s(u.ru_utime) + s(u.ru_stime)
}
func peak() -> Int { var u = rusage(); getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &u); return Int(u.ru_maxrss) / 1024 }
let folder = CommandLine.arguments[1]
let pages = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("p") }.sorted()
let path = CommandLine.arguments[2]
let count = Int(CommandLine.arguments.count > 3 ? CommandLine.arguments[3] : "1000") ?? 1000
for s in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + s) }
let mirror = try Mirror(path: path)
let repo = try await mirror.record(Repository(id: 1, fullName: "swiftlang/swift"), json: Data("{}".utf8), on: "github.com", at: Date())
var items = 0
var (decoding, storing) = (0.0, 0.0)
var sweep = Sweep(purpose: .first, began: 0, stretches: [])
let wall = Date()
for name in pages.prefix(count) {
  let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
  let start = cpu()
  let page = try TimelinePage(data, of: .items)
  let middle = cpu()
  sweep.began += 1
  try await mirror.store(page, of: repo, sweep: sweep, at: Date())
  storing += cpu() - middle
  decoding += middle - start
  items += page.entries.count
}
print(items, "decoding", decoding / Double(items) * 1e6, "storing", storing / Double(items) * 1e6, "µs an item;", "wall", Date().timeIntervalSince(wall), "peak MB", peak(), "size MB", mirror.size() >> 20)
for filter in [IssueFilter(), IssueFilter(state: .all, sort: .updated), IssueFilter(sort: .comments), IssueFilter(labels: ["bug"])] {
  let start = Date()
  let n = try await mirror.issues(of: repo, filter: filter, limit: 30).count
  print(filter.query, n, Date().timeIntervalSince(start) * 1e3, "ms")
}
let start = Date()
print(try await mirror.counts(of: repo), Date().timeIntervalSince(start) * 1e3, "ms")
