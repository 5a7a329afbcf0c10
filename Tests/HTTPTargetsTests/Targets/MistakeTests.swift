import PlatformModules
import TestSupport
import Testing

/// Common mistakes of Moya users: the compiler must refuse them with a helpful message.
@Suite("Compile-time errors", .timeLimit(.minutes(5)))
struct MistakeTests {
  /// A program with a mistake, and words of its diagnostics.
  private struct Mistake {
    var program: String
    var words: [String]

    init(_ program: String, says words: String...) {
      self.program = program
      self.words = words
    }

    /// Another declaration of a member in a target that is right without it.
    init(_ member: String, for name: String, says words: String...) {
      program = Self.target(replacing: name, by: member)
      self.words = words
    }

    static func target(replacing name: String, by member: String) -> String {
      let members: KeyValuePairs = [
        "baseURL": #"var baseURL: String { "https://zoo.example" }"#,
        "path": #"var path: URLPath { "animals" }"#,
        "method": "var method: HTTPRequest.Method { .get }",
        "task": "var task: HTTPTask { .plain }",
        "headers": "var headers: HTTPFields { [:] }",
        "policy": "var policy: TargetPolicy { .standard }",
        "": "",
      ]
      let lines = members.map { $0.key == name ? member : $0.value }
      return "struct Zoo: TargetType {\n\(lines.joined(separator: "\n"))\n}"
    }
  }

  private static let required = [
    Mistake(
      #"var method: String { "POST" }"#, for: "method", says: "'method'", "'HTTPRequest.Method'"),
    Mistake(
      "var method: HTTPRequest.Method? { .post }", for: "method", says: "'HTTPRequest.Method?'"),
    Mistake(
      "func method() -> HTTPRequest.Method { .post }", for: "method",
      says: "requires property 'method'"),
    Mistake(
      "static var method: HTTPRequest.Method { .post }", for: "method",
      says: "requires property 'method'"),
    Mistake(
      "var methods: HTTPRequest.Method { .post }", for: "method", says: "requires property 'method'"
    ),
    Mistake("", for: "method", says: "requires property 'method'"),
    Mistake(
      "var headers: [String: String]? { nil }", for: "headers", says: "'headers'", "'HTTPFields'"),
    Mistake(
      "var headers: [String: String] { [:] }", for: "headers", says: "'[String : String]'"),
    Mistake("var header: HTTPFields { [:] }", for: "headers", says: "requires property 'headers'"),
    Mistake("var task: HTTPTask? { nil }", for: "task", says: "'task'", "'HTTPTask?'"),
    Mistake("var task: Task { .requestPlain }", for: "task", says: "generic type 'Task'"),
    Mistake("", for: "task", says: "requires property 'task'"),
    Mistake(
      #"var baseURL: URL { URL(string: "https://zoo.example")! }"#, for: "baseURL",
      says: "'baseURL'", "'String'"),
    Mistake(#"var path: String { "animals" }"#, for: "path", says: "'path'", "'URLPath'"),
  ]

  private static let policies = [
    Mistake("", for: "policy", says: "requires property 'policy' with type 'TargetPolicy'"),
    Mistake(
      "var policies: TargetPolicy { .standard }", for: "policy", says: "requires property 'policy'"),
    Mistake(
      "var policy: Timeouts { Timeouts() }", for: "policy",
      says: "does not conform to protocol 'TargetType'",
      "candidate has non-matching type 'Timeouts'"),
    Mistake(
      "var policy: TargetPolicy? { nil }", for: "policy",
      says: "candidate has non-matching type 'TargetPolicy?'"),
    Mistake(
      "func policy() -> TargetPolicy { .standard }", for: "policy",
      says: "requires property 'policy'"),
    Mistake(
      "private var policy: TargetPolicy { .standard }", for: "policy",
      says: "'policy' must be as accessible as its enclosing type"),
    Mistake(
      "var policy: TargetPolicy { TargetPolicy(validation: 200) }", for: "policy",
      says: "'Validation'"),
    Mistake(
      "var policy: TargetPolicy { TargetPolicy(timeouts: .seconds(5)) }", for: "policy",
      says: "'Timeouts' has no member 'seconds'"),
    Mistake(
      "var policy: TargetPolicy { TargetPolicy(timeout: Timeouts()) }", for: "policy",
      says: "expected 'timeouts:'"),
    Mistake(
      "var policy: TargetPolicy { TargetPolicy(authorizationType: .bearer) }", for: "policy",
      says: "expected 'authorization:'"),
    Mistake(
      "var policy: TargetPolicy { TargetPolicy(idempotency: true) }", for: "policy",
      says: "'Bool' to expected argument type 'Idempotency'"),
  ]

  private static let plugins = [
    Mistake(
      "struct Printer: Plugin { func willSend(_ request: TargetRequest, target: any TargetType) {} }",
      says: "non-protocol type 'Plugin'"),
    Mistake("static let plugin = Plugin(willsend: { _, _ in })", says: "expected 'willSend:'"),
    Mistake(
      "static let plugin = Plugin(prepare: { request in request })",
      says: "(TargetRequest, any TargetType) async throws -> TargetRequest' expects 2 arguments"),
    Mistake(
      "static let plugin = Plugin(prepare: { request, _ in print(request) })",
      says: "'TargetRequest'"),
    Mistake(
      "static let plugin = Plugin(willSend: { (_: URLRequest, _) in })", says: "'URLRequest'"),
    Mistake(
      "static let plugin = Plugin(willSend: { _, _ in throw CancellationError() })",
      says: "throwing function"),
    Mistake(
      "static let plugin = Plugin(didReceive: { (_: TargetResponse, _) in })",
      says: "'Plugin.DidReceive'"
    ),
    Mistake(
      "static let plugin = Plugin(process: { result, _ in result.map(\\.body) })",
      says: "'TargetResponse'"),
  ]

  private static let interceptors = [
    Mistake(
      """
      struct Patience: Interceptor {
        func intercept(_ request: TargetRequest, next: Next) async throws -> TargetResponse {
          try await next(request)
        }
      }
      """, says: "requires function 'intercept(_:call:next:)'"),
    Mistake(
      """
      struct Patience: Interceptor {
        func intercept(_ request: TargetRequest, call: TargetCall, next: Next) async -> TargetResponse? { nil }
      }
      """, says: "requires function 'intercept(_:call:next:)'"),
    Mistake(
      """
      struct Post: Transport {
        func send(_ request: TargetRequest) async throws -> TransportReply { throw CancellationError() }
      }
      """, says: "requires function 'send(_:onSent:)'"),
  ]

  private static let right = [
    Mistake.target(replacing: "", by: ""),
    // In a closure the error of a `do` isn't inferred.
    """
    static func show(_ body: ResponseBody) {
      Task {
        do throws(NetworkError) {
          for try await bytes in body { print(bytes.count) }
        } catch {
          print(error.code, error.message)
        }
      }
    }
    """,
  ]

  @Test("each mistake is a compile-time error that names the requirement or the type")
  func mistakes() async throws {
    let mistakes = Self.required + Self.policies + Self.plugins + Self.interceptors
    #expect(mistakes.count >= 30)
    let diagnostics = try await diagnostics(of: mistakes.map(\.program) + Self.right)
    for (number, mistake) in mistakes.enumerated() {
      let found = diagnostics[number] ?? "no error"
      for words in mistake.words {
        #expect(found.contains(words), "\(mistake.program)")
      }
    }
    for number in mistakes.count..<mistakes.count + Self.right.count {
      #expect(diagnostics[number] == nil)
    }
  }

  /// The errors of each program, with their notes.
  private func diagnostics(of programs: [String]) async throws -> [Int: String] {
    let folder = try ScratchFolder()
    var files: [String] = []
    for (number, program) in programs.enumerated() {
      let text = "import Foundation\nimport HTTPTargets\n\nenum Program\(number) {\n\(program)\n}\n"
      // In a namespace each: one run of the compiler has one module.
      files.append(try folder.write(Data(text.utf8), to: "\(number).swift"))
    }
    let result = try await CommandRun.run(
      "/usr/bin/env",
      [
        "swiftc", "-typecheck", "-whole-module-optimization", "-diagnostic-style=llvm",
        "-swift-version", "6", "-I", try BuiltProducts.modules(),
      ] + files, environment: ["HOME": folder["."], "TMPDIR": folder["."]])
    var diagnostics: [Int: String] = [:]
    var current = programs.count
    for line in result.errorText.split(separator: "\n") {
      if line.contains(": error: "), let file = line.split(separator: ".swift:").first,
        let number = Int(file.split(separator: "/").last ?? "")
      {
        current = number
      }
      diagnostics[current, default: ""] += "\(line)\n"
    }
    return diagnostics
  }
}
