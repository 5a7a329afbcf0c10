// IssuesCommand
