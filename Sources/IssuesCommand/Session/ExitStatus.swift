internal import StyledText

enum ExitStatus: Int32, Sendable, CaseIterable {
  case done = 0

  /// A failure without a more specific status, or changes that were refused for different reasons.
  case failed = 1

  case cancelled = 2

  /// The data doesn't exist, or isn't visible with these credentials.
  case notFound = 3

  case badCredentials = 4

  case rateLimited = 5

  case network = 6

  case badAnswer = 7

  /// The change was made, but the server omitted a part of it without an error.
  case leftOut = 8

  /// It is unknown whether the change was made, or another user changed the same text. The change is in `issues
  /// outbox`.
  case unsettled = 9

  /// A usage error: `EX_USAGE` in sysexits.h.
  case usage = 64

  /// A failure of the output, the mirror or the outbox (`EX_IOERR` in sysexits.h).
  case output = 74

  /// The change is in the outbox and not sent yet (`EX_TEMPFAIL` in sysexits.h).
  case kept = 75

  /// A problem in the configuration: `EX_CONFIG` in sysexits.h.
  case configuration = 78

  var summary: String {
    switch self {
    case .done: "done"
    case .failed: "another failure; for 'outbox send', a change was refused"
    case .cancelled: "canceled (130 when Ctrl-C ends it)"
    case .notFound: "not found, or not visible with these credentials"
    case .badCredentials: "no credentials, or credentials that the server refuses"
    case .rateLimited: "rate limited, for longer than --wait allows"
    case .network: "network failure"
    case .badAnswer: "the server's response could not be understood"
    case .leftOut: "done, but the server left something out"
    case .unsettled: "outcome unknown, or a conflict: see issues outbox"
    case .usage: "wrong usage, or an impossible request"
    case .output: "the output, the mirror or the outbox could not be read or written"
    case .kept: "kept in the outbox, not sent yet"
    case .configuration: "the configuration file is invalid: see issues config"
    }
  }

  /// The code for programs (`--json-errors`).
  var code: String {
    switch self {
    case .done: "done"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .notFound: "notFound"
    case .badCredentials: "badCredentials"
    case .rateLimited: "rateLimited"
    case .network: "network"
    case .badAnswer: "badAnswer"
    case .leftOut: "leftOut"
    case .unsettled: "unsettled"
    case .usage: "usage"
    case .output: "output"
    case .kept: "kept"
    case .configuration: "configuration"
    }
  }

  static var discussion: String {
    allCases.reduce("EXIT STATUS:") { text, status in
      let number = DisplayWidth.padded("\(status.rawValue)", to: 2, alignment: .trailing)
      return "\(text)\n  \(number)  \(status.summary)"
    }
  }
}
