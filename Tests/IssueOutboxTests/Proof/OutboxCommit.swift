import Foundation
import GitHubAPI
import IssueOutbox
import TestSupport
import outbox_probe

/// Something that the person wrote, and the server took.
struct OutboxCommit: Sendable {
  /// The written content.
  enum Content: Hashable, Sendable {
    case issue(title: String, body: String)
    case comment(String)
    /// The `title` or `body` of an issue.
    case text(String, String)
    case commentText(Int64, String)
    case commentDeletion(Int64)
    case transfer
    case deletion
    /// A property of an issue that may be written twice: the method, and the end of the path.
    case property(String)
    case notification(GitHub.NotificationAction)

    /// Whether each commit counts.
    var countsEachTime: Bool {
      switch self {
      case .issue, .comment, .transfer, .deletion: true
      case .text, .commentText, .commentDeletion, .property, .notification: false
      }
    }

    /// Whether the issue is gone after it.
    var isRemoval: Bool { self == .transfer || self == .deletion }
  }

  /// The number of the issue; of a thread of notifications, its negative id.
  var number: Int
  /// Whose token it came with.
  var login: String
  var content: Content

  /// The contents that a change makes on the server once all of it is sent.
  static func contents(of change: Change, on forge: LoopbackForge) -> [Content] {
    let isOnGitHub = forge == .gitHub
    return switch change {
    case .createIssue(let issue, _):
      [.issue(title: issue.title.asKept, body: (issue.body ?? "").asKept)]
    case .comment(_, let body): [.comment(body.asKept)]
    case .edit(_, let edit): contents(of: edit, on: forge)
    // Nothing is sent if the sub-issue is the first one already.
    case .relate(_, .moveAfter), .relate(_, .moveFirst): [.property("PATCH sub_issues")]
    // The scripts have no others: their looks before a write are no part of the proof.
    case .relate: []
    case .close, .reopen: [.property("PATCH")]
    case .lock: [.property("PUT lock")]
    case .unlock: [.property("DELETE lock")]
    case .react: [.property("POST reactions")]
    case .unreact: [.property("POST reactions"), .property("DELETE reactions")]
    case .subscribe: [.property("SUBSCRIBED")]
    case .unsubscribe: [.property("UNSUBSCRIBED")]
    case .reactToComment(let id, _, _): [.property("POST reactions to \(id)")]
    case .unreactToComment(let id, _, _):
      [.property("POST reactions to \(id)"), .property("DELETE reactions to \(id)")]
    case .notification(_, let action): [.notification(isOnGitHub ? action : .read)]
    case .pin: [.property(isOnGitHub ? "pinIssue" : "POST pin")]
    case .unpin: [.property(isOnGitHub ? "unpinIssue" : "DELETE pin")]
    case .transfer: [.transfer]
    case .delete: [.deletion]
    case .editComment(let id, _, let text): [.commentText(id, text.text.asKept)]
    case .deleteComment(let id, _): [.commentDeletion(id)]
    }
  }

  private static func contents(of edit: IssueChange, on forge: LoopbackForge) -> [Content] {
    var contents: [Content] = []
    if let title = edit.title { contents.append(.text("title", title.text.asKept)) }
    if let body = edit.body { contents.append(.text("body", body.text.asKept)) }
    if !edit.addedLabels.isEmpty { contents.append(.property("POST labels")) }
    if !edit.removedLabels.isEmpty { contents.append(.property("DELETE labels")) }
    guard forge == .gitHub else { return contents + [.property("PATCH")] }
    if !edit.addedAssignees.isEmpty { contents.append(.property("POST assignees")) }
    if !edit.removedAssignees.isEmpty { contents.append(.property("DELETE assignees")) }
    return contents
  }

  /// The contents that a committed request wrote.
  ///
  /// - Parameters:
  ///   - receipt: The request.
  ///   - forge: The kind of server.
  ///   - newNumber: Gives the number of the next issue that was created.
  /// - Returns: One for each text that it set.
  static func commits(
    of receipt: LoopbackReceipt, on forge: LoopbackForge, newNumber: () -> Int?
  ) -> [OutboxCommit] {
    let target = receipt.target.dropFirst(forge.apiPath.count)
    let parts = target.split(separator: "/").map(String.init)
    let path = Array(parts.dropFirst(3))
    let texts = texts(in: Data(receipt.body.utf8)) ?? [:]
    let login = receipt.login ?? ""
    func commit(_ number: Int?, _ content: Content) -> [OutboxCommit] {
      [OutboxCommit(number: number ?? 0, login: login, content: content)]
    }
    if parts.first == "notifications" { return notification(receipt, parts, login) }
    guard !path.isEmpty else {
      return commit(mutatedNumber(receipt.body), mutation(receipt.body))
    }
    if path.count == 3, path[1] == "comments", let id = Int(path[2]) {
      let content =
        receipt.method == "DELETE"
        ? Content.commentDeletion(Int64(id)) : .commentText(Int64(id), texts["body"] ?? "")
      return commit(LoopbackGitHub.comment(withID: id)?.issue, content)
    }
    if path.count > 3, path[1] == "comments", let id = Int(path[2]) {
      return commit(
        LoopbackGitHub.comment(withID: id)?.issue,
        .property("\(receipt.method) \(path[3]) to \(id)"))
    }
    if path.count > 3, path[2] == "sub_issues" {
      return commit(OutboxScript.moved, .property("PATCH sub_issues"))
    }
    switch (receipt.method, path.count) {
    case ("POST", 1):
      return commit(newNumber(), .issue(title: texts["title"] ?? "", body: texts["body"] ?? ""))
    case ("POST", 3) where path[2] == "comments":
      return commit(Int(path[1]), .comment(texts["body"] ?? ""))
    case ("DELETE", 2): return commit(Int(path[1]), .deletion)
    case ("PATCH", 2) where !texts.isEmpty:
      return texts.sorted { $0.key > $1.key }.flatMap { commit(Int(path[1]), .text($0, $1)) }
    default:
      let words = [receipt.method] + path.dropFirst(2).prefix(1)
      return commit(Int(path[1]), .property(words.joined(separator: " ")))
    }
  }

  private static func notification(
    _ receipt: LoopbackReceipt, _ path: [String], _ login: String
  ) -> [OutboxCommit] {
    let action: GitHub.NotificationAction =
      switch (receipt.method, path.count) {
      case ("PATCH", _): .read
      case ("PUT", _): .mute
      case (_, 3): .done
      default: .unsubscribe
      }
    return [
      OutboxCommit(number: -(Int(path[2]) ?? 0), login: login, content: .notification(action))
    ]
  }

  /// The title and the body in a JSON object.
  static func texts(in data: Data) -> [String: String]? {
    guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      return nil
    }
    return object.reduce(into: [:]) { texts, entry in
      guard ["title", "body"].contains(entry.key) else { return }
      texts[entry.key] = (entry.value as? String ?? "").asKept
    }
  }

  private static func mutation(_ body: String) -> Content {
    let names = [
      "transferIssue", "deleteIssue", "unpinIssue", "pinIssue", "UNSUBSCRIBED", "SUBSCRIBED",
    ]
    return switch names.first(where: { body.contains($0) }) {
    case "transferIssue": .transfer
    case "deleteIssue": .deletion
    case let name: .property(name ?? body)
    }
  }

  /// The number at the end of the id of an issue.
  private static func mutatedNumber(_ body: String) -> Int? {
    let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
    let id = (object?["variables"] as? [String: Any])?["id"] as? String
    return id.flatMap { Int(String($0.reversed().prefix(while: \.isNumber).reversed())) }
  }
}

extension String {
  /// The text as servers keep it: without their choice of line ends, and of blanks at both ends. Files have marks,
  /// because only the server knows their addresses.
  var asKept: String {
    FileMark.marking(self).replacingOccurrences(of: "\r\n", with: "\n")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
