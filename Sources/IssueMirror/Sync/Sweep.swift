/// A walk over a whole time line, as it is kept beside what it found, so that a sync that was cut off goes on.
package struct Sweep: Codable, Hashable, Sendable {
  /// What it is for.
  package enum Purpose: String, Codable, Hashable, Sendable {
    /// To have everything for the first time.
    case first
    /// To find what was deleted or transferred: it also notes each number that it sees.
    case verification
  }

  /// What it is for.
  package var purpose: Purpose
  /// When it began, in seconds since 1970 by the server's clock: what changed since is asked for at its end.
  package var began: Int
  /// What isn't done of it, in order; empty when it has come to its end.
  package var stretches: [Stretch]

  /// Makes a sweep.
  package init(purpose: Purpose, began: Int, stretches: [Stretch]) {
    self.purpose = purpose
    self.began = began
    self.stretches = stretches
  }
}
