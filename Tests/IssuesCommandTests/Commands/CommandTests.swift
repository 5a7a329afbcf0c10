import Testing

/// The tests that run the built command, one case at a time.
///
/// Each case is a process and a server or two. Hundreds of them at once would be no sooner done, and so
/// slow each that status lines and time-outs came in.
@Suite("The command", .serialized)
enum CommandTests {}
