internal import ArgumentParser

/// Which repository is meant, where it isn't an argument.
struct RepositoryOptions: ParsableArguments {
  @Option(
    name: [.customShort("R", allowingJoined: true), .customLong("repo")],
    help: ArgumentHelp(
      "The repository, instead of the argument: [HOST/]OWNER/REPO.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: String?
}
