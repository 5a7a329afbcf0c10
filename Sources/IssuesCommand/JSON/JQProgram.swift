internal import CJQ
internal import ConcurrencyPrimitives

/// A jq expression, run by the system's libjq, which is loaded when the first one is compiled.
final class JQProgram: Sendable {
  enum Result {
    case string(String)
    case json([UInt8])
    case null
  }

  private let compiled: Locked<Compiled>

  /// The last one: an expression is compiled to check it, and run later.
  private static let last = Locked<(text: String, program: JQProgram)?>(nil)

  static func compiled(_ text: String) throws(CommandFailure) -> JQProgram {
    if let last = last.withLock({ $0 }), last.text == text { return last.program }
    let program = try JQProgram(text)
    last.withLock { $0 = (text, program) }
    return program
  }

  private init(_ text: String) throws(CommandFailure) {
    guard !text.utf8.contains(0) else {
      throw CommandFailure(.usage, "--jq: the expression contains a NUL")
    }
    var reason = ""
    let program = unsafe Self.library.withLock { library -> OpaquePointer? in
      if library == nil {
        library = unsafe Library(problem: cjq_load().map { unsafe String(cString: $0) })
      }
      guard library?.problem == nil else { return nil }
      var problem: UnsafePointer<CChar>?
      let program = unsafe cjq_compile(text, &problem)
      reason = unsafe problem.map { unsafe String(cString: $0) } ?? ""
      return unsafe program
    }
    if let problem = Self.library.withLock({ $0?.problem }) {
      throw CommandFailure(
        .failed, "--jq needs libjq, which can't be loaded: \(problem)\nInstall libjq1, or jq.")
    }
    guard let program = unsafe program else {
      throw CommandFailure(.usage, "--jq: \(Self.firstLine(reason))")
    }
    compiled = unsafe Locked(Compiled(program: program))
  }

  func run(_ json: [UInt8], _ body: (Result) -> Void) throws(CommandFailure) {
    let problem = compiled.withLock { compiled -> String? in
      withoutActuallyEscaping(body) { body in
        let receiver = Receiver(body)
        let outcome = unsafe json.withUnsafeBytes { bytes in
          let text = unsafe bytes.bindMemory(to: CChar.self)
          return unsafe cjq_run(
            compiled.program, text.baseAddress, text.count,
            { context, text, length, isString in
              guard let context = unsafe context, let text = unsafe text else { return }
              let receiver = unsafe Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
              let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
              unsafe receiver.receive(bytes, isString: isString != 0)
            }, unsafe Unmanaged.passUnretained(receiver).toOpaque())
        }
        withExtendedLifetime(receiver) {}
        return unsafe outcome == 0 ? nil : String(cString: cjq_problem(compiled.program))
      }
    }
    if let problem {
      throw CommandFailure(.failed, "--jq: \(Self.firstLine(problem))")
    }
  }

  private static let library = Locked<Library?>(nil)

  private struct Library: Sendable {
    let problem: String?
  }

  // @safe: it owns the program.
  // @unchecked Sendable: libjq's state belongs to no thread, and is reached under the lock of `compiled` alone.
  @safe private final class Compiled: @unchecked Sendable {
    let program: OpaquePointer

    init(program: OpaquePointer) { unsafe self.program = program }

    deinit { unsafe cjq_free(program) }
  }

  private final class Receiver {
    private let body: (Result) -> Void

    init(_ body: @escaping (Result) -> Void) { self.body = body }

    func receive(_ bytes: UnsafeRawBufferPointer, isString: Bool) {
      if isString {
        unsafe body(.string(String(decoding: bytes, as: UTF8.self)))
      } else {
        unsafe body(bytes.elementsEqual("null".utf8) ? .null : .json(Array(bytes)))
      }
    }
  }

  private static func firstLine(_ problem: String) -> String {
    let line = problem.split(whereSeparator: \.isNewline).first.map(String.init) ?? "it failed"
    let prefix = "jq: error: "
    return PlainText.harmless(line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line)
  }
}
