internal import StyledText

enum ExitStatus: Int32, Sendable, CaseIterable {
  case done = 0

  /// A failure without a status of its own, or changes that were refused for several reasons.
  case failed = 1

  case cancelled = 2

  /// Also for data that isn't visible with these credentials.
  case notFound = 3

  case badCredentials = 4

  case rateLimited = 5

  case network = 6

  case badAnswer = 7

  /// The change was made, but the server omitted a part of it without an error.
  case leftOut = 8

  /// It is unknown whether the change was made, or another user changed the same text: `issues outbox` has it.
  case unsettled = 9

  /// `EX_USAGE` of sysexits.h.
  case usage = 64

  /// Also for the mirror and the outbox (`EX_IOERR` of sysexits.h).
  case output = 74

  /// In the outbox, not sent yet (`EX_TEMPFAIL` of sysexits.h).
  case kept = 75

  /// `EX_CONFIG` of sysexits.h.
  case configuration = 78

  var summary: String {
    switch self {
    case .done: "done"
    case .failed: "another failure; of 'outbox send', a change was refused"
    case .cancelled: "cancelled (130 when Ctrl-C ends it)"
    case .notFound: "not found, or not visible with these credentials"
    case .badCredentials: "no credentials, or credentials that the server refuses"
    case .rateLimited: "rate limited, for longer than --wait allows"
    case .network: "network failure"
    case .badAnswer: "the server's answer could not be understood"
    case .leftOut: "done, but the server left something out"
    case .unsettled: "outcome unknown, or a conflict: see issues outbox"
    case .usage: "wrong usage, or what is asked for isn't possible as it is"
    case .output: "the output, the mirror or the outbox could not be read or written"
    case .kept: "kept in the outbox, not sent yet"
    case .configuration: "the configuration file is wrong: see issues config"
    }
  }

  /// For programs (`--json-errors`).
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
