import IssuesCommand

exit(await Issues.run(Array(CommandLine.arguments.dropFirst()), in: .process()))
