import PlatformModules
import TestSupport

@testable import IssuesCommand

/// A script in place of a program, in its own folder that comes first on `PATH`.
struct FakeProgram: Sendable {
  private let folder: ScratchFolder

  /// Makes one out of a script for the shell, in which `$here` is its folder.
  init(_ name: String, _ script: String) async throws {
    folder = try ScratchFolder()
    // Written by a child: the kernel runs no file that a process still has open for writing, and each
    // program that another test starts at this moment would hold this one open for a while.
    let writer = try ChildProcess(
      [
        "sh", "-c", #"printf '%s' "$2" > "$1" && chmod 755 "$1""#, "sh", "\(folder.path)/\(name)",
        "#!/bin/sh\nhere=\(folder.path)\n\(script)\n",
      ],
      environment: ["PATH": "/usr/bin:/bin"])
    guard await writer.wait() == .exited(0) else { throw CocoaError(.fileWriteUnknown) }
  }

  /// An environment in which it is found.
  var environment: [String: String] { ["PATH": "\(folder.path):/usr/bin:/bin"] }

  /// The path of a file in its folder.
  func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// The contents of a file in its folder; nil if there is none.
  func contents(of name: String) -> String? {
    try? String(contentsOfFile: path(name), encoding: .utf8)
  }
}
