internal import IssueTracker
internal import Locking

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An `AtomicFile` that is written off the cooperative pool, and whose failures are told to a person.
actor ExportFile: ByteSink {
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Where the file is to be.
  nonisolated let path: String
  /// Where the file is until it is whole.
  nonisolated let temporaryPath: String

  private nonisolated let queue = BlockingQueue(label: "export")
  private let file: AtomicFile

  /// Writes a file; nothing is left of one that broke off.
  ///
  /// - Parameters:
  ///   - path: Where it is to be.
  ///   - replaces: Whether it takes the place of a file, or of a symbolic link, that is there.
  ///   - body: What writes it.
  /// - Throws: ``CommandFailure`` when nothing can be written there, and what `body` throws.
  static func write(
    at path: String, replaces: Bool, _ body: (ExportFile) async throws -> Void
  ) async throws {
    let file = try ExportFile(at: path, replaces: replaces)
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

  /// Writes bytes behind what is there.
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

  /// The file is called by its own name, not by that of the temporary one.
  private static func explanation(of failure: FileFailure, at path: String) -> CommandFailure {
    failure.isNameTaken
      ? CommandFailure(.output, "“\(path)” is there already\nReplace it with --force.")
      : CommandFailure(.output, "cannot write to “\(path)”: \(failure.reason)")
  }
}
