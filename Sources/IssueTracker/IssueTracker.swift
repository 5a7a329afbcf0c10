// IssueTracker
