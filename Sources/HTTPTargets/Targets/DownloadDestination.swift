/// Where a download goes.
struct DownloadDestination: Sendable, Hashable {
  let path: String
  /// Whether what arrived is kept when it breaks, and gone on from.
  let isResuming: Bool
}
