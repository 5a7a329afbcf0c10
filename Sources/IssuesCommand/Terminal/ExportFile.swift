internal import ConcurrencyPrimitives
internal import IssueTracker
internal import PlatformModules

/// An `AtomicFile` that doesn't use the cooperative pool and explains its failures.
actor ExportFile: ByteSink {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

  nonisolated let path: String
  nonisolated let temporaryPath: String

  private nonisolated let queue = BlockingQueue(label: "export")
  private let file: AtomicFile
  private let isOneOfMany: Bool

  /// Writes a file. A failure doesn't leave an incomplete file behind, nor does a signal that can be handled. One of
  /// many files isn't synchronized with the disk.
  static func write(
    at path: String, replaces: Bool, isOneOfMany: Bool = false,
    _ body: (ExportFile) async throws -> Void
  ) async throws {
    let file = try ExportFile(at: path, replaces: replaces, isOneOfMany)
    Interrupt.removeAtEnd(file.temporaryPath)
    defer { Interrupt.removeAtEnd(nil) }
    do {
      try await body(file)
      try await file.finish()
    } catch {
      await file.abandon()
      throw error
    }
  }

  private init(at path: String, replaces: Bool, _ isOneOfMany: Bool) throws(CommandFailure) {
    do throws(FileFailure) {
      let file = try AtomicFile(named: path, replaces: replaces, isOneOfMany: isOneOfMany)
      self.isOneOfMany = isOneOfMany
      self.path = path
      temporaryPath = file.temporaryPath
      self.file = file
    } catch {
      throw Self.explanation(of: error, at: path)
    }
  }

  func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do throws(FileFailure) {
      try file.write(bytes)
    } catch {
      throw Self.explanation(of: error, at: path)
    }
  }

  private func finish() throws(CommandFailure) {
    do throws(FileFailure) {
      try file.commit(isSynchronized: !isOneOfMany)
    } catch {
      throw Self.explanation(of: error, at: path)
    }
  }

  private func abandon() {
    file.abandon()
  }

  /// The explanation of a failure. It refers to the file itself, not to the temporary file.
  private static func explanation(of failure: FileFailure, at path: String) -> CommandFailure {
    failure.isNameTaken
      ? CommandFailure(.output, "“\(path)” already exists\nReplace it with --force.")
      : CommandFailure(.output, "cannot write to “\(path)”: \(failure.reason)")
  }
}

protocol ByteSink: Sendable {
  func write(_ bytes: [UInt8]) async throws
}

extension Output: ByteSink {}
