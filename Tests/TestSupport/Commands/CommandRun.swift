public import PlatformModules

/// A program run by a test, in pipes or on its own terminal, or a function that does the same in this process.
///
/// ```swift
/// let run = try CommandRun("issues", ["list", "-R", "swiftlang/swift"], environment: [...])
/// let result = try await run.result()
/// #expect(result.status == .exited(0))
/// ```
///
/// The program gets exactly the given environment, and no descriptors but the standard three. Reading, writing and
/// waiting have their own threads, so that no thread of Swift's concurrency blocks. A run that is dropped before its
/// end is killed.
public final class CommandRun: Sendable {
  /// How standard input, output and error are connected.
  public enum Connection: Sendable, Equatable {
    /// Three pipes.
    case pipes
    /// One terminal of this size for all three, with all output in ``Result/output``. The program leads its own
    /// session, and the terminal controls it.
    case terminal(columns: Int, rows: Int)
  }

  /// How a program ended.
  public enum Status: Sendable, Equatable {
    /// By itself, with this status.
    case exited(Int32)
    /// By this signal.
    case signalled(Int32)
  }

  /// The result of a program.
  public struct Result: Sendable {
    /// How it ended.
    public var status: Status
    /// The bytes written to standard output, or to the terminal.
    public var output: Data
    /// The bytes written to standard error; empty on a terminal.
    public var error: Data
    /// The processor time, in user and system mode together.
    public var processorTime: Duration
    /// The largest resident memory in bytes; nil unless it was sampled.
    public var peakMemory: Int?

    /// ``output`` as text.
    public var outputText: String { String(decoding: output, as: UTF8.self) }
    /// ``error`` as text.
    public var errorText: String { String(decoding: error, as: UTF8.self) }
  }

  /// A program's stream, readable while it runs.
  public enum Stream: Sendable {
    /// Standard output, or the terminal.
    case output
    /// Standard error.
    case error
  }

  struct State: Sendable {
    var output = Data()
    var error = Data()
    var openStreams: Int
    var ended: (status: Status, processorTime: Duration)?
    var peakMemory: Int?

    /// Takes a stream's bytes; nil is its end.
    mutating func received(_ bytes: Data?, on stream: WritableKeyPath<State, Data>) {
      if let bytes {
        self[keyPath: stream].append(bytes)
      } else {
        openStreams -= 1
      }
    }

    var result: Result? {
      guard openStreams == 0, let ended else { return nil }
      return Result(
        status: ended.status, output: output, error: error, processorTime: ended.processorTime,
        peakMemory: peakMemory)
    }
  }

  /// The program ended before the awaited output.
  public struct EndedEarly: Error, CustomStringConvertible {
    /// Its result.
    public var result: Result

    /// The exit status, and all output.
    public var description: String {
      "\(result.status), output: \(result.outputText), error: \(result.errorText)"
    }
  }

  private let child: ChildProcess
  private let state: Watched<State>

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: A path, or the name of a product of this package beside the test bundle. `PATH` is not searched.
  ///   - arguments: The arguments, without the program's name.
  ///   - environment: The whole environment. `PATH` of this process is added unless given, and `TERM` on a terminal.
  ///   - connection: Pipes or a terminal.
  ///   - input: The bytes for standard input, which is then closed; nil keeps it open for ``write(_:)``. A terminal's
  ///     input is never closed.
  ///   - workingDirectory: The program's folder; nil for this process's.
  ///   - closesOutputAfter: The number of bytes after which the reading end is closed, as `head` does; nil reads all.
  ///   - samplesMemory: Whether to measure ``Result/peakMemory``. On Linux it is read every millisecond, so a peak in
  ///     the last millisecond is missed.
  /// - Throws: An error if the program can't be started.
  public init(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    connection: Connection = .pipes,
    input: String? = "",
    workingDirectory: String? = nil,
    closesOutputAfter: Int? = nil,
    samplesMemory: Bool = false
  ) throws {
    let path = try program.contains("/") ? program : BuiltProducts.path(of: program)
    var environment = environment
    if environment["PATH"] == nil {
      environment["PATH"] = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    }
    if connection != .pipes, environment["TERM"] == nil {
      environment["TERM"] = "xterm-256color"
    }
    child = try ChildProcess(
      path: path, arguments: [program] + arguments, environment: environment,
      connection: connection, workingDirectory: workingDirectory)
    state = Watched(State(openStreams: child.error == nil ? 1 : 2))
    observe(closesOutputAfter, samplesMemory: samplesMemory)
    if let input {
      child.write(Data(input.utf8), closing: connection == .pipes)
    }
  }

  /// A command line as a function of its standard streams, open descriptors. It returns the exit status.
  public typealias Function =
    @Sendable (_ input: Int32, _ output: Int32, _ errors: Int32) async -> Int32

  /// Runs a function in pipes, in a task of its own. It has no process identifier, and gets no signals.
  ///
  /// - Throws: An error if there are no descriptors left.
  public init(
    input: String? = "", closesOutputAfter: Int? = nil, running body: @escaping Function
  ) throws {
    child = try ChildProcess(running: body)
    state = Watched(State(openStreams: 2))
    observe(closesOutputAfter, samplesMemory: false)
    if let input { child.write(Data(input.utf8), closing: true) }
  }

  private func observe(_ closesOutputAfter: Int?, samplesMemory: Bool) {
    child.read(child.output, atMost: closesOutputAfter) { [state] bytes in
      state.update { $0.received(bytes, on: \.output) }
    }
    if let error = child.error {
      child.read(error, atMost: nil) { [state] bytes in
        state.update { $0.received(bytes, on: \.error) }
      }
    }
    child.waitForExit(samplesMemory: samplesMemory) { [state] status, time, memory in
      state.update {
        $0.ended = (status, time)
        $0.peakMemory = memory
      }
    }
  }

  deinit {
    if state.read({ $0.ended == nil }) { child.end() }
  }

  /// The program's process identifier.
  public var processIdentifier: Int32 {
    guard let identifier = child.identifier else { preconditionFailure("a function has none") }
    return identifier
  }

  /// Sends a signal, unless the program has ended.
  public func send(signal: Int32) {
    guard state.read({ $0.ended == nil }) else { return }
    child.send(signal: signal)
  }

  /// Writes to standard input, or types on the terminal.
  public func write(_ text: String) {
    child.write(Data(text.utf8), closing: false)
  }

  /// Closes standard input after all earlier writes.
  public func closeInput() {
    child.write(Data(), closing: true)
  }

  /// Changes the terminal's size. The program gets `SIGWINCH`.
  public func resize(columns: Int, rows: Int) {
    child.resize(columns: columns, rows: rows)
  }

  /// Waits until a stream contains a text.
  ///
  /// - Returns: The stream's bytes so far.
  /// - Throws: ``EndedEarly`` if the program ends before that; `CancellationError` if the task is cancelled.
  @discardableResult
  public func waitFor(_ text: String, on stream: Stream = .output) async throws -> String {
    try await state.value { state -> Swift.Result<String, EndedEarly>? in
      let data = stream == .output ? state.output : state.error
      let soFar = String(decoding: data, as: UTF8.self)
      // Compared as bytes: "\r\n" is one character, which doesn't contain "\n".
      if data.firstRange(of: Data(text.utf8)) != nil { return .success(soFar) }
      return state.result.map { .failure(EndedEarly(result: $0)) }
    }.get()
  }

  /// Waits until a closure finds something in a stream.
  ///
  /// - Parameters:
  ///   - stream: The stream.
  ///   - offset: How many bytes at its beginning to skip.
  ///   - find: Searches the rest, again whenever more arrives; nil goes on waiting.
  /// - Returns: The find, and the number of bytes that the stream had then.
  /// - Throws: ``EndedEarly`` if the program ends before that; `CancellationError` if the task is cancelled.
  public func waitFor<Found: Sendable>(
    on stream: Stream = .output, after offset: Int, _ find: @escaping @Sendable (Data) -> Found?
  ) async throws -> (found: Found, end: Int) {
    try await state.value { state -> Swift.Result<(found: Found, end: Int), EndedEarly>? in
      let data = stream == .output ? state.output : state.error
      if let found = find(data.dropFirst(offset)) { return .success((found, data.count)) }
      return state.result.map { .failure(EndedEarly(result: $0)) }
    }.get()
  }

  /// Waits for each question in turn, and writes its answer.
  ///
  /// - Throws: As ``waitFor(_:on:)`` does.
  public func answer(_ answers: KeyValuePairs<String, String>) async throws {
    for (question, answer) in answers {
      try await waitFor(question)
      write(answer)
    }
  }

  /// Waits until the program and its output end.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, which kills the program.
  public func result() async throws -> Result {
    do {
      return try await state.value { $0.result }
    } catch {
      if state.read({ $0.ended == nil }) { child.end() }
      throw error
    }
  }

  /// Runs a program in pipes to its end.
  ///
  /// - Throws: An error if it can't be started, or the task is cancelled.
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    input: String = "", workingDirectory: String? = nil
  ) async throws -> Result {
    try await CommandRun(
      program, arguments, environment: environment, input: input,
      workingDirectory: workingDirectory
    ).result()
  }
}
