internal import StyledText

/// The exit status of the command, for scripts.
enum ExitStatus: Int32, Sendable, CaseIterable {
  case done = 0

  /// Something failed that no other status names.
  case failed = 1

  case cancelled = 2

  /// The repository, issue or user doesn't exist, or these credentials may not see it.
  case notFound = 3

  /// The server wants credentials, or refuses those it got.
  case badCredentials = 4

  /// The server's rate limit is used up.
  case rateLimited = 5

  /// The server couldn't be reached, or the connection broke.
  case network = 6

  /// The server's answer could not be understood.
  case badAnswer = 7

  /// The change was made, but the server left a part of it out without an error.
  case leftOut = 8

  /// Nobody knows whether the change was made, or somebody else changed the same text: `issues outbox` has it.
  case unsettled = 9

  /// The command was used wrongly (`EX_USAGE` of sysexits.h).
  case usage = 64

  /// The output could not be written, or the mirror or the outbox read or written (`EX_IOERR` of sysexits.h).
  case output = 74

  /// The change is kept in the outbox, and isn't sent yet (`EX_TEMPFAIL` of sysexits.h).
  case kept = 75

  /// The line of the help.
  var summary: String {
    switch self {
    case .done: "done"
    case .failed: "an unexpected failure"
    case .cancelled: "cancelled (130 when Ctrl-C ends it)"
    case .notFound: "not found, or not visible with these credentials"
    case .badCredentials: "no credentials, or credentials that the server refuses"
    case .rateLimited: "rate limited, for longer than --wait allows"
    case .network: "network failure"
    case .badAnswer: "the server's answer could not be understood"
    case .leftOut: "done, but the server left something out"
    case .unsettled: "not known whether it was done, or a conflict: see issues outbox"
    case .usage: "wrong usage"
    case .output: "the output, the mirror or the outbox could not be read or written"
    case .kept: "kept in the outbox, not sent yet"
    }
  }

  /// The paragraph of `--help` that lists every status.
  static var discussion: String {
    allCases.reduce("EXIT STATUS:") { text, status in
      let number = DisplayWidth.padded("\(status.rawValue)", to: 2, alignment: .trailing)
      return "\(text)\n  \(number)  \(status.summary)"
    }
  }
}
