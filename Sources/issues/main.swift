import IssuesCommand

await IssuesCommand.start()
