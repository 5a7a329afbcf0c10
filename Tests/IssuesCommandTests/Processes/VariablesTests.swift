#if os(Linux)
  import Foundation
  import Testing

  @testable import IssuesCommand

  @Suite("The program's variables")
  struct VariablesTests {
    /// A mapping of this process (proc_pid_smaps(5)).
    private struct Mapping {
      let start: Substring
      let end: Substring
      let path: String
      var sizes: [Substring: Substring] = [:]
    }

    private func mappings() throws -> [Mapping] {
      var mappings: [Mapping] = []
      let text = try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8)
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        let ends = words[0].split(separator: "-")
        if ends.count == 2 {
          let path = words.dropFirst(5).joined(separator: " ")
          mappings.append(Mapping(start: ends[0], end: ends[1], path: path))
        } else if words.count > 1 {
          mappings[mappings.count - 1].sizes[words[0]] = words[1]
        }
      }
      return mappings
    }

    /// The zeroed variables: the nameless memory behind the program's own file.
    private func variables() throws -> Mapping {
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let mappings = try mappings()
      let data = try #require(mappings.last { $0.path == program })
      return try #require(mappings.first { $0.start == data.end && $0.path.isEmpty })
    }

    @Test("have their memory before they are used")
    func populated() throws {
      OwnProcess.prepare()
      let variables = try variables()
      #expect(variables.sizes["Rss:"] == variables.sizes["Size:"])
    }
  }
#endif
