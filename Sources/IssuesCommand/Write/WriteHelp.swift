/// Help texts that subcommands share.
enum WriteHelp {
  static let issue = "The issue: 12, '#12', OWNER/REPO#12, its address, or new-1 of the outbox."

  static let results = """
    Each change is kept in the outbox before it is sent, so nothing is lost and nothing is sent twice. In a \
    pipe the address is written, on a terminal a sentence, with --json the server's answer. The status is 8 \
    where the server left something out, 9 where nobody knows whether it was done or somebody else changed \
    the same text, and 75 where it is kept for later: 'issues outbox' has those. Without a network a change \
    is kept on a terminal or with --queue, and fails with 6 elsewhere.
    """
}
