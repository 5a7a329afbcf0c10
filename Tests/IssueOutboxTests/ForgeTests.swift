import GitHubAPI
import HTTPTargets
import IssueOutbox
import IssueTracker
import PlatformModules
import TestSupport
import Testing

@Suite("The outbox on Forgejo and Gitea", .timeLimit(.minutes(5)))
struct ForgeTests {
  private static let forges: [LoopbackForge] = [.forgejo, .gitea]
  /// After these the change is there, without a response.
  private static let carriedOut: [LoopbackWriteFault] = [
    .answerLost, .answerCut, .badGatewayAfterCommit,
  ]
  /// Longer than the server stores. A cut after 255 bytes or characters is inside a family.
  private static let longTitle = String(repeating: "é👩‍👩‍👧 ", count: 60)

  // MARK: Lost responses

  @Test("a creation or a comment that took effect is found", arguments: forges, carriedOut)
  func found(forge: LoopbackForge, fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run {
      $0.forge = forge
    } _: { bench in
      let changes: [Change] = [
        .createIssue(NewIssue(title: Self.longTitle, body: "a\r\nb\n")),
        .createIssue(
          NewIssue(
            title: "Once", labels: ["Linux", "bug"], assignees: ["ada"],
            milestone: forge.milestoneID(2))),
        .comment(on: .number(2), body: "Once."),
      ]
      for change in changes {
        bench.github.strike(fault)
        let id = try #require(try await bench.add(change).first).id
        #expect(try await bench.send().states(of: id) == [.sending, .unknown, .sent])
        #expect(try await bench.entry(id).answer?.wasFound == true)
      }
      #expect(bench.createdTitles == [forge.stored(title: Self.longTitle), "Once"])
      let issue = try #require(bench.github.issues(of: bench.there).last)
      #expect(Set(issue.labels.map(\.name)) == ["Linux", "bug"])
      #expect(issue.assignees == ["ada"] && issue.milestone == 2)
      #expect(bench.comments(on: 2) == ["Once."])
      #expect(bench.writes.count == 3)
    }
  }

  @Test("any other change whose response was lost is repeated without effect", arguments: forges)
  func repeated(forge: LoopbackForge) async throws {
    try await OutboxBench.run {
      $0.forge = forge
      $0.permission = .admin
    } _: { bench in
      func issue() -> SyntheticIssue { bench.github.issues(of: bench.there)[0] }
      func lose(_ change: Change, writes: Int = 1) async throws {
        bench.github.strike(.answerLost, times: writes)
        let id = try #require(try await bench.add(change).first).id
        for _ in 0...writes { _ = try? await bench.send() }
        #expect(try await bench.entry(id).state == .sent, "\(change)")
      }
      func lose(_ edit: IssueChange, writes: Int = 1) async throws {
        try await lose(.edit(.number(1), edit), writes: writes)
      }
      let labels = ["performance", "wontfix"]
      try await lose(IssueChange(title: TextChange(Self.longTitle, base: issue().title)))
      #expect(issue().title == forge.stored(title: Self.longTitle))
      try await lose(IssueChange(milestone: .set(forge.milestoneID(3))))
      try await lose(IssueChange(addedLabels: labels))
      #expect(issue().milestone == 3 && Set(labels).isSubset(of: issue().labels.map(\.name)))
      try await lose(IssueChange(removedLabels: labels), writes: labels.count)
      try await lose(IssueChange(addedAssignees: ["tony"]))
      #expect(issue().assignees.count { $0 == "tony" } == 1)
      try await lose(IssueChange(removedAssignees: ["tony"]))
      try await lose(.react(.number(1), .heart))
      #expect(issue().reactions.map(\.content) == ["heart"])
      try await lose(.unreact(.number(1), .heart))
      try await lose(.relate(.number(1), .addBlocker(RelatedIssue(2))))
      #expect(issue().blockedBy == [2])
      try await lose(.relate(.number(1), .removeBlocker(RelatedIssue(2))))
      try await lose(.pin(.number(1)))
      try await lose(.close(.number(1), .completed))
      try await lose(.delete(.number(3)))
      #expect(Set(labels).isDisjoint(with: issue().labels.map(\.name)))
      #expect(!issue().assignees.contains("tony") && issue().reactions.isEmpty)
      #expect(issue().blockedBy.isEmpty && issue().isPinned && !issue().isOpen)
      #expect(bench.writes.filter { $0.contains("/dependencies") }.count == 2)
    }
  }

  @Test(
    "a new issue's files are uploaded once after its creation, whichever response is lost",
    arguments: forges, ["/issues", "/assets", "/issues/N"])
  func newIssueWithFile(forge: LoopbackForge, lost: String) async throws {
    try await OutboxBench.run {
      $0.forge = forge
    } _: { bench in
      let path = bench.folder["shot.png"]
      try PNG.image(width: 3, height: 2).write(to: URL(filePath: path))
      let file = try await bench.outbox.attach(path)
      let issue = NewIssue(title: "Crash", body: "Look:\n\n\(file.markdown())\n")
      let changes = Change.creating(issue, on: try bench.gitHubServer())
      #expect(changes.count == 2)
      let suffix = lost.replacing("N", with: "\(bench.github.issues(of: bench.there).count + 1)")
      bench.github.strike(.answerLost) { $0.path.hasSuffix(suffix) }
      try await bench.outbox.add(try changes.map { try bench.intention($0) })
      for _ in 1...3 { _ = try? await bench.send() }
      #expect(try await bench.outbox.entries().map(\.state) == [.sent, .sent])
      #expect(bench.createdTitles == ["Crash"])
      let url = try #require(bench.github.uploads.last?.url)
      #expect(bench.github.uploads.count == (lost == "/assets" ? 2 : 1))
      let created = try #require(bench.github.issues(of: bench.there).last)
      #expect(created.body == "Look:\n\n![shot.png](\(url))\n")
    }
  }

  @Test("a title that the server has cut is no change by someone else", arguments: forges)
  func cutTitle(forge: LoopbackForge) async throws {
    try await OutboxBench.run {
      $0.forge = forge
    } _: { bench in
      try await bench.add(.createIssue(NewIssue(title: Self.longTitle)))
      #expect(try await bench.send().states(of: 1) == [.sending, .sent])
      #expect(try await bench.entry(1).answer?.dropped.count == 1)
      try await bench.add(
        .edit(.pending(1), IssueChange(title: TextChange("Short", base: Self.longTitle))))
      try await bench.send()
      #expect(try await bench.entry(2).state == .sent)
      #expect(bench.createdTitles == ["Short"])
    }
  }

  @Test("a longer title replaces one that it begins with", arguments: forges)
  func longerTitle(forge: LoopbackForge) async throws {
    try await OutboxBench.run {
      $0.forge = forge
    } _: { bench in
      let (short, long) = (String(repeating: "a", count: 130), String(repeating: "a", count: 300))
      try await bench.add(.createIssue(NewIssue(title: short)))
      try await bench.send()
      try await bench.add(
        .edit(.pending(1), IssueChange(title: TextChange(long, base: short))))
      try await bench.send()
      #expect(bench.createdTitles == [forge.stored(title: long)])
    }
  }

  @Test(
    "a name that is taken is refused, because the servers allow several labels of one name",
    arguments: forges)
  func takenNames(forge: LoopbackForge) async throws {
    try await OutboxBench.run {
      $0.forge = forge
    } _: { bench in
      let writer = IssueWriter(
        provider: try bench.connection().provider, repository: bench.repository)
      let present = SyntheticIssues.milestones[0]
      await #expect(throws: NetworkError.self) {
        try await writer.createLabel(NewLabel(name: "bug"))
      }
      await #expect(throws: NetworkError.self) {
        try await writer.editLabel("Linux", LabelEdit(newName: "bug"))
      }
      await #expect(throws: NetworkError.self) {
        try await writer.createMilestone(NewMilestone(title: present))
      }
      #expect(bench.writes.isEmpty)
      _ = try await writer.editLabel("bug", LabelEdit(color: "000000"))
    }
  }

  @Test("labels are found by their names, whatever the case", arguments: forges)
  func labelCase(forge: LoopbackForge) async throws {
    try await OutboxBench.run {
      $0.forge = forge
    } _: { bench in
      try await bench.add(.edit(.number(1), IssueChange(addedLabels: ["WontFix"])))
      try await bench.send()
      #expect(try await bench.entry(1).answer?.dropped == [])
      #expect(bench.github.issues(of: bench.there)[0].labels.contains { $0.name == "wontfix" })
    }
  }

  @Test("an archived label that is edited stays archived", arguments: forges)
  func archivedLabel(forge: LoopbackForge) async throws {
    try await OutboxBench.run {
      $0.forge = forge
    } _: { bench in
      let provider = try bench.connection().provider
      let labels = try await provider.labels(of: bench.repository)
      let id = try #require(labels.first { $0.name == "bug" }?.serverID)
      let name = "\(bench.repository)"
      var archival = LabelEdit()
      archival.isArchived = true
      _ = try await provider.request(
        .editLabel(repositoryFullName: name, name: "\(id)", edit: archival))
      let writer = IssueWriter(provider: provider, repository: bench.repository)
      _ = try await writer.editLabel("bug", LabelEdit(newName: "defect"))
      let label = try await provider.request(.label(repositoryFullName: name, name: "\(id)"))
      let text = String(decoding: label.body, as: UTF8.self)
      #expect(text.contains("\"defect\"") && text.contains("\"is_archived\":true"))
    }
  }

  @Test("a page of a proxy is no removal of a reaction, and no dependency", arguments: forges)
  func loginPage(forge: LoopbackForge) async throws {
    try await OutboxBench.run {
      $0.forge = forge
    } _: { bench in
      try await bench.add(.react(.number(1), .heart))
      try await bench.send()
      let changes: [Change] = [
        .unreact(.number(1), .heart), .relate(.number(2), .addBlocker(RelatedIssue(1))),
      ]
      for change in changes {
        bench.github.strike(.loginPage)
        let id = try #require(try await bench.add(change).first).id
        _ = try? await bench.send()
        #expect(try await bench.entry(id).state == .queued)
        try await bench.send()
        #expect(try await bench.entry(id).state == .sent)
      }
      let issues = bench.github.issues(of: bench.there)
      #expect(issues[0].reactions.isEmpty && issues[1].blockedBy == [1])
    }
  }

  // MARK: Refusals

  @Test(
    "what the server answers with status 500 or 4xx is refused with a reason", arguments: forges)
  func refused(forge: LoopbackForge) async throws {
    try await OutboxBench.run {
      $0.forge = forge
      var archived = LoopbackRepository(
        id: 2, owner: "swiftlang", name: "archived", issues: SyntheticIssues(count: 1))
      archived.isArchived = true
      $0.repositories += [
        archived,
        LoopbackRepository(
          id: 3, owner: "swiftlang", name: "disabled", hasIssues: false,
          issues: SyntheticIssues(count: 1)),
      ]
      $0.missingUsers = ["missing"]
    } _: { bench in
      try await bench.add(.relate(.number(1), .addBlocker(RelatedIssue(2))))
      try await bench.send()
      let changes: [(Change, String, String)] = [
        (.comment(on: .number(99), body: "Lost"), "swift", "no #99"),
        (.edit(.number(2), IssueChange(milestone: .set(99))), "swift", "no milestone"),
        (.createIssue(NewIssue(title: "A", milestone: 99)), "swift", "no milestone"),
        (.createIssue(NewIssue(title: "A", labels: ["no-such"])), "swift", "no label"),
        (.createIssue(NewIssue(title: "A", assignees: ["missing"])), "swift", "Assignee"),
        (.close(.number(1), .completed), "swift", "open dependencies"),
        (.comment(on: .number(1), body: "Lost"), "archived", "archived"),
        (.createIssue(NewIssue(title: "A")), "disabled", "404"),
        (.delete(.number(1)), "swift", "403"),
      ]
      for (change, name, reason) in changes {
        let repository = try #require(RepositoryName("swiftlang/\(name)"))
        let intention = Intention(
          change, in: repository, on: try bench.gitHubServer(),
          account: try bench.connection().account)
        let id = try #require(try await bench.outbox.add([intention]).first).id
        _ = try? await bench.send()
        let entry = try await bench.entry(id)
        #expect(entry.state == .refused, "\(change)")
        #expect(entry.reason?.contains(reason) == true, "\(change): \(entry.reason ?? "")")
      }
      #expect(bench.createdTitles.isEmpty)
    }
  }

  @Test("a stranger's edit is refused without a body, and a stranger's labels are reported")
  func stranger() async throws {
    for forge in Self.forges {
      try await OutboxBench.run {
        $0.forge = forge
        $0.permission = .read
      } _: { bench in
        try await bench.add(
          .edit(.number(1), IssueChange(title: TextChange("Mine"))),
          .createIssue(NewIssue(title: "Mine", labels: ["bug"], assignees: ["ada"])))
        try await bench.send()
        #expect(try await bench.entry(1).state == .refused)
        #expect(try await bench.entry(1).reason?.contains("403") == true)
        let dropped = try #require(try await bench.entry(2).answer?.dropped)
        #expect(dropped.map { String($0.prefix { $0 != ":" }) } == ["labels", "assignees"])
      }
    }
  }

  @Test("a proxy's 429 without a time is waited for", arguments: forges)
  func tooManyRequests(forge: LoopbackForge) async throws {
    try await OutboxBench.run {
      $0.forge = forge
    } _: { bench in
      bench.github.strike(.contentLimit)
      try await bench.add(.comment(on: .number(1), body: "Once."))
      let events = try await bench.send()
      #expect(events.states(of: 1) == [.sending, .queued, .sending, .sent])
      #expect(events.waits == [.rateLimit])
      #expect(bench.comments(on: 1) == ["Once."])
    }
  }

  @Test("notifications are read and done, with a response of status 205", arguments: forges)
  func notifications(forge: LoopbackForge) async throws {
    try await OutboxBench.run {
      $0.forge = forge
      $0.notifications = (501...502).map { SyntheticNotification(id: $0, number: 1) }
    } _: { bench in
      try await bench.add(
        .notification(NotificationThread(id: 501, issue: 1), .read),
        .notification(NotificationThread(id: 502, issue: 1), .done))
      bench.github.strike(.answerLost)
      for _ in 0..<2 { _ = try? await bench.send() }
      #expect(try await bench.outbox.entries().map(\.state) == [.sent, .sent])
      #expect(bench.github.notifications.current.map(\.isRead) == [true, true])
    }
  }
}
