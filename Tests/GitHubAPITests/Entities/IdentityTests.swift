import GitHubAPI
import Testing

@Suite("The identity of an entity")
struct IdentityTests {
  @Test("a label or a milestone is identified by its server ID, or else by its name")
  func properties() {
    // A server may allow two of the same name; a list of a mirror has no ids.
    let labels = [
      GitHub.Label(serverID: 1, name: "bug"), GitHub.Label(serverID: 2, name: "bug"),
      GitHub.Label(name: "bug"), GitHub.Label(name: "ui"), GitHub.Label(name: "1"),
    ]
    #expect(Set(labels.map(\.id)).count == labels.count)
    #expect(GitHub.Label(serverID: 1, name: "defect", color: "ff0000").id == labels[0].id)
    let milestones = [
      GitHub.Milestone(serverID: 1, title: "v1"), GitHub.Milestone(serverID: 2, title: "v1"),
      GitHub.Milestone(title: "v1"), GitHub.Milestone(number: 2, title: "v2"),
    ]
    #expect(Set(milestones.map(\.id)).count == milestones.count)
    #expect(GitHub.Milestone(serverID: 1, title: "v2").id == milestones[0].id)
  }

  @Test("a user is identified by the login, even with an ID")
  func users() {
    #expect(GitHub.User(login: "ada").id == GitHub.User(login: "ada", serverID: 1, name: "Ada").id)
    #expect(GitHub.User(login: "ada").id != GitHub.User(login: "grace").id)
  }

  @Test("a file is identified by its path")
  func contents() {
    #expect(
      RepositoryContent(name: "a", path: "b/a").id != RepositoryContent(name: "a", path: "a").id)
  }
}
