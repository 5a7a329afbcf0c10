internal import IssueMirror
internal import PlatformModules
internal import StyledText

/// The user's program that turns texts into vectors: a local model, or a client of one.
///
/// It is a command of the shell in a variable. It reads a JSON string per line, and writes an array of numbers for each,
/// one per line and in the same order. It doesn't receive tokens.
struct EmbeddingProgram: Sendable {
  static let variable = "ISSUES_EMBEDDER"
  /// The maximum size of the vectors of one run.
  private static let maximumBytes = 256 << 20

  private let command: String
  private let environment: [String: String]

  /// Returns nil if the variable is unset or empty.
  init?(environment: [String: String]) {
    guard let command = environment[Self.variable], !command.isEmpty else { return nil }
    self.command = command
    self.environment = Environment.withoutSecrets(environment)
  }

  var embedder: TextEmbedder {
    TextEmbedder(name: command) { try await vectors(of: $0) }
  }

  private func vectors(of texts: [String]) async throws -> [[Float]] {
    let encoder = JSONEncoder()
    var input: [UInt8] = []
    for text in texts { input += try encoder.encode(text) + [UInt8(ascii: "\n")] }
    let child = try BoundedRun(
      ["/bin/sh", "-c", command], environment: environment, input: input)
    switch await child.finish(limit: Self.maximumBytes) {
    case .finished(.exited(0), let output):
      return try Self.vectors(in: output, count: texts.count)
    case .finished(let termination, _):
      let end =
        switch termination {
        case .exited(let status): "ended with exit status \(status)"
        case .killed(let signal): "was ended by signal \(signal)"
        }
      let errors = String(decoding: child.errors, as: UTF8.self)
      let last = errors.split(whereSeparator: \.isNewline).last.map {
        ": \(TerminalText(String($0)))"
      }
      throw CommandFailure(.failed, "the program of \(Self.variable) \(end)\(last ?? "")")
    case .tooLong:
      throw CommandFailure(.failed, "the program of \(Self.variable) wrote more than 256 MiB")
    case .timedOut, .cancelled: throw CancellationError()
    }
  }

  static func vectors(
    in output: [UInt8], count: Int
  ) throws(CommandFailure) -> [[Float]] {
    let decoder = JSONDecoder()
    let vectors = output.split(separator: UInt8(ascii: "\n")).compactMap {
      try? decoder.decode([Float].self, from: Data($0))
    }
    guard vectors.count == count, let length = vectors.first?.count, length > 0,
      vectors.allSatisfy({ $0.count == length })
    else {
      throw CommandFailure(
        .failed,
        """
        the program of \(Self.variable) must write an array of numbers for each line, all of the same length: it \
        wrote \(vectors.count) for \(count) lines
        """)
    }
    return vectors
  }
}
