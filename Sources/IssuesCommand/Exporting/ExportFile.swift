internal import IssueTracker
internal import Locking

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A file that is there when it is whole, and until then under another name beside its place.
actor ExportFile: ByteSink {
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Where the file is to be.
  nonisolated let path: String
  /// Where the file is until it is whole.
  nonisolated let temporaryPath: String

  private nonisolated let queue = BlockingQueue(label: "export")
  private let file: PartialFile

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
      let file = try PartialFile(for: path, replaces: replaces, followsLinks: false)
      try file.start()
      self.path = path
      temporaryPath = file.path
      self.file = file
    } catch {
      throw Self.explanation(of: error, at: path)
    }
  }

  /// Writes bytes behind what is there.
  func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do throws(FileFailure) {
      try file.append(Data(bytes))
    } catch {
      throw Self.explanation(of: error, at: path)
    }
  }

  private func finish() throws(CommandFailure) {
    do throws(FileFailure) {
      try file.finish()
    } catch {
      throw Self.explanation(of: error, at: path)
    }
  }

  private func abandon() {
    file.leave(keeping: false)
  }

  /// The file is called by its own name, not by that of the temporary one.
  private static func explanation(of failure: FileFailure, at path: String) -> CommandFailure {
    failure.isNameTaken
      ? CommandFailure(.output, "“\(path)” is there already\nReplace it with --force.")
      : CommandFailure(.output, "cannot write to “\(path)”: \(failure.reason)")
  }
}
