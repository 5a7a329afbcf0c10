import Foundation
import IssueMirror
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("What the mirror tells of a repository")
struct EntitiesTests {
  @Test("a repository is complete once its first sync is done")
  func completeness() {
    var repository = MirroredRepository(id: 1, host: "github.com", serverID: 2, fullName: "a/b")
    #expect(!repository.isComplete)
    repository.syncedTo = .distantPast
    #expect(repository.isComplete)
  }
}
