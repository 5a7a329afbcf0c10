public import GitHubAPI
public import HTTPTargets

/// Changes threads of notifications. Each action can be repeated. GitHub accepts them only with a classic token that
/// has the scope `notifications` or `repo`.
///
/// ```swift
/// try await NotificationWriter(provider: provider).carryOut(.done, on: "523050578")
/// ```
public struct NotificationWriter: Sendable {
  let provider: Provider<GitHub>

  /// Creates a writer.
  ///
  /// - Parameter provider: The provider that sends the requests, with a token.
  public init(provider: Provider<GitHub>) {
    self.provider = provider
  }

  /// The kind of token that GitHub accepts, as an advice to the user.
  public static let tokenAdvice =
    "only classic tokens with the scope notifications or repo may change notifications"

  /// Carries out an action on a thread. A missing thread counts as read, done and unsubscribed, because an earlier
  /// attempt may have removed it; it can't be muted.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - id: The ``/GitHubAPI/GitHub/Notification/id`` of the thread.
  /// - Throws: ``/HTTPTargets/NetworkError``.
  public func carryOut(
    _ action: GitHub.NotificationAction, on id: String
  ) async throws(NetworkError) {
    do throws(NetworkError) {
      switch action {
      case .read: try await provider.carryOut(.markNotificationRead(id: id), status: .resetContent)
      case .done:
        try await provider.carryOut(
          .markNotificationDone(id: id),
          status: provider.forge == .gitHub ? .noContent : .resetContent)
      case .unsubscribe:
        try await provider.carryOut(.unsubscribeFromNotification(id: id), status: .noContent)
      case .mute:
        let subscription: ThreadSubscription = try await provider.entity(.muteNotification(id: id))
        guard subscription.ignored else { throw IssueWriter.otherAnswer }
      }
    } catch {
      guard let status = error.response?.status, [.notFound, .forbidden].contains(status),
        error.code != .rateLimited
      else { throw error }
      // GitHub also responds with 404 to a token of another kind.
      if try await canRead() {
        guard status == .notFound, action != .mute else { throw error }
      } else {
        var error = error
        error.message += "; \(Self.tokenAdvice)"
        throw error
      }
    }
  }

  /// Whether the token is of a kind that may read notifications.
  private func canRead() async throws(NetworkError) -> Bool {
    do throws(NetworkError) {
      _ = try await provider.request(.notifications(pageSize: 1))
      return true
    } catch {
      guard let status = error.response?.status, [.notFound, .forbidden].contains(status),
        error.code != .rateLimited
      else { throw error }
      return false
    }
  }
}

private struct ThreadSubscription: Decodable {
  var ignored: Bool
}
