internal import IssueTracker

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A page of a time line, taken apart just as far as the mirror has columns: each entry keeps the bytes that
/// the server sent.
package struct TimelinePage: Sendable {
  /// An issue, a pull request or a comment.
  package struct Entry: Sendable {
    /// Its number in the repository; of a comment, that of its issue.
    package var number: Int
    /// Its id on the server.
    package var id: Int64
    /// When it last changed, in seconds since 1970.
    package var updatedAt: Int
  }

  /// Which time line it is of.
  package let timeline: Timeline
  /// What is on it, in the server's order.
  package let entries: [Entry]

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - body: The bytes of the answer.
  ///   - timeline: Which time line it is of.
  /// - Throws: ``HTTPTargets/NetworkError/Code/decoding`` when it isn't a page of that.
  package init(_ body: Data, of timeline: Timeline) throws {
    self.timeline = timeline
    entries = []
  }
}
