/// Help texts that subcommands share.
enum WriteHelp {
  static let issue =
    "The issue: 12, '#12', OWNER/REPO#12 or its address; new-1 is an issue of the outbox."

  static let results = """
    Each change is kept in the outbox before it is sent, so nothing is lost and nothing is sent twice. The \
    command prints a sentence on a terminal, the address in a pipe, and the server's response with --json. The \
    status is 8 if the server left something out, 9 if the change may or may not have been made or someone \
    else changed the same text, and 75 if it is kept for later: see 'issues outbox'. Without a network, a \
    change is kept on a terminal or with --queue; elsewhere the command fails with 6.
    """
}
