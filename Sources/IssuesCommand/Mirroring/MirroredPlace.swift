internal import IssueMirror

/// A repository in the mirror that keeps it.
struct MirroredPlace: Sendable {
  /// The mirror, whatever engine it is on.
  let mirror: any IssueStore
  /// What it knows of the repository itself.
  let repository: MirroredRepository
}
