import GitHubAPI

/// GitHub's, not Swift Testing's `Issue`.
typealias Issue = GitHubAPI.Issue
