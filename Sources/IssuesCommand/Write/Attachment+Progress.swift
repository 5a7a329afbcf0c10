internal import IssueOutbox
internal import StyledText

extension Attachment {
  /// A status line for the upload.
  func progress(_ completedBytes: Int) -> String {
    "Uploading \(TerminalText(name)): \(ByteCount.text(completedBytes)) of \(ByteCount.text(size))"
  }
}
