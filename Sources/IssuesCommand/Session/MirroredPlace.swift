internal import IssueMirror

/// A repository in the mirror that keeps it.
struct MirroredPlace: Sendable {
  /// The mirror.
  let mirror: Mirror
  /// What it knows of the repository itself.
  let repository: MirroredRepository
}
