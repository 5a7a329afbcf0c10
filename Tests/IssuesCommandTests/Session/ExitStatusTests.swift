import Testing

@testable import IssuesCommand

@Suite("Exit status")
struct ExitStatusTests {
  @Test("the help lists every status with its number")
  func discussion() {
    #expect(
      ExitStatus.discussion == """
        EXIT STATUS:
           0  done
           1  an unexpected failure
           2  cancelled (130 when Ctrl-C ends it)
           3  not found, or not visible with these credentials
           4  no credentials, or credentials that the server refuses
           5  rate limited, for longer than --wait allows
           6  network failure
           7  the server's answer could not be understood
           8  done, but the server left something out
           9  outcome unknown, or a conflict: see issues outbox
          64  wrong usage
          74  the output, the mirror or the outbox could not be read or written
          75  kept in the outbox, not sent yet
          78  the configuration file is wrong: see issues config
        """)
  }
}
