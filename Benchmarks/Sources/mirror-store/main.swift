import Foundation
import GitHubAPI
import IssueMirror

struct Slim: Decodable {
  struct Person: Decodable { var login: String; var id: Int64? }
  struct Label: Decodable { var id: Int64?; var name: String; var color: String?; var description: String? }
  struct Milestone: Decodable { var number: Int?; var title: String; var state: String? }
  struct Link: Decodable { var url: String?; var html_url: String? }
  var id: Int64; var number: Int; var title: String; var body: String?; var state: String
  var user: Person?; var labels: [Label]?; var assignees: [Person]?; var milestone: Milestone?
  var comments: Int?; var created_at: String?; var updated_at: String?; var closed_at: String?
  var pull_request: Link?
}
func cpu() -> Double {
  var u = rusage(); getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &u)
  func s(_ t: timeval) -> Double { Double(t.tv_sec) + Double(t.tv_usec) / 1e6 }
  return s(u.ru_utime) + s(u.ru_stime)
}
let folder = CommandLine.arguments[1]
let pages = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("p") }.sorted()
let mode = CommandLine.arguments[2]
let count = Int(CommandLine.arguments.count > 3 ? CommandLine.arguments[3] : "1000") ?? 1000
var items = 0
var total = 0.0
for name in pages.prefix(count) {
  let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
  let start = cpu()
  switch mode {
  case "own": items += try TimelinePage(data, of: .items).entries.count
  case "slim": items += try JSONDecoder().decode([Slim].self, from: data).count
  case "full": items += try GitHubJSON.decode([GitHubAPI.Issue].self, from: data).count
  default: break
  }
  total += cpu() - start
}
print(mode, items, total / Double(items) * 1e6, "µs an item")
