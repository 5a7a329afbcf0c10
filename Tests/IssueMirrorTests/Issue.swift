import GitHubAPI

/// Swift Testing has an `Issue` too: in these tests the name means GitHub's.
typealias Issue = GitHubAPI.Issue
