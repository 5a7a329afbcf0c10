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

  /// Writes a file. A failure doesn't leave an incomplete file behind, nor does a signal that can be handled.
  static func write(
    at path: String, replaces: Bool, _ body: (ExportFile) async throws -> Void
  ) async throws {
    let file = try ExportFile(at: path, replaces: replaces)
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

  private init(at path: String, replaces: Bool) throws(CommandFailure) {
    do throws(FileFailure) {
      let file = try AtomicFile(named: path, replaces: replaces)
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
      try file.commit()
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
