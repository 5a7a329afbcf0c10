internal import ArgumentParser
internal import Dispatch
internal import IssueTracker
internal import PlatformModules

struct QueueOptions: ParsableArguments {
  @Flag(help: "Keep the change in the outbox; 'issues outbox send' sends it.")
  var queue = false
}

/// The options common to all subcommands that change data.
struct WriteOptions: Sendable {
  let output: OutputOptions
  let queue: Bool
  let connection: ConnectionOptions
}

struct BodyOptions: ParsableArguments {
  /// The maximum size. GitHub accepts 65,536 characters.
  private static let maximumBytes = 4 << 20

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("The text, in Markdown.", valueName: "text"),
    transform: ValueReader.sentText(of: "--body"))
  var body: String?

  @Option(
    name: [.customShort("F", allowingJoined: true), .long],
    help: ArgumentHelp("Read the text from this file; - is standard input.", valueName: "file"),
    completion: .file())
  var bodyFile: String?

  func validate() throws {
    guard body == nil || bodyFile == nil else {
      throw ValidationError("--body and --body-file both give the text: leave one of them out.")
    }
  }

  var isGiven: Bool { body != nil || bodyFile != nil }

  /// The text; nil if the command line doesn't contain one.
  func text() async throws(CommandFailure) -> String? {
    guard let file = bodyFile else { return body }
    return try await Self.text(inFile: file)
  }

  /// Whether a word names an existing file.
  static func isFile(_ name: String) -> Bool {
    var status = stat()
    return unsafe stat(name, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
  }

  /// Reads the text in a file; `-` means standard input.
  static func text(
    inFile file: String, maximumBytes: Int = maximumBytes
  ) async throws(CommandFailure) -> String {
    let name = file == "-" ? "standard input" : file
    let descriptor =
      unsafe file == "-" ? World.current.input.descriptor : open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(name, errno) }
    defer { if file != "-" { close(descriptor) } }
    // A pipe may block, so the work doesn't run on the cooperative pool.
    let result = await withCheckedContinuation { continuation in
      DispatchQueue(label: "body").async {
        continuation.resume(returning: contents(of: descriptor, maximumBytes))
      }
    }
    switch result {
    case .failure(let reason): throw failure(name, reason.code)
    case .success(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw CommandFailure(.usage, "\(name) isn't UTF-8 text")
      }
      return text.withoutByteOrderMark
    }
  }

  private struct ReadFailure: Error {
    let code: CInt
  }

  private static func failure(_ name: String, _ code: CInt) -> CommandFailure {
    CommandFailure(.usage, unsafe "cannot read \(name): \(String(cString: strerror(code)))")
  }

  private static func contents(
    of descriptor: CInt, _ maximumBytes: Int
  ) -> Result<[UInt8], ReadFailure> {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= maximumBytes {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 {
        return .success(bytes)
      } else if errno != EINTR {
        return .failure(ReadFailure(code: errno))
      }
    }
    return .failure(ReadFailure(code: EFBIG))
  }
}

extension ValueReader {
  static func ownMilestone(_ text: String) throws -> MilestoneChoice {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw Refusal(
        description: """
          name the milestone by its title or its number; 'issues edit --remove-milestone' removes an issue from \
          its milestone
          """)
    }
    return try milestone(text)
  }

  static func project(_ text: String) throws -> ProjectReference {
    guard let project = ProjectReference(text) else {
      throw Refusal(
        description: """
          name the project by its owner and its number, such as swiftlang/5, or by the address of its page
          """)
    }
    return project
  }
}

extension Array where Element == String {
  /// The names in text such as `a, b`, without duplicates.
  var separatedByCommas: [String] { names(known: []) }

  /// The names in text such as `a, b`, without duplicates. Known names may contain a comma.
  func names(known: [String]) -> [String] {
    var names: [String] = []
    for name in flatMap({ NameList.names(in: $0, known: known) })
    where !name.isEmpty && !names.contains(name) {
      names.append(name)
    }
    return names
  }
}
