/// Who writes the generated issues and comments.
enum SampleUsers {
  /// The people, those of the sample files among them.
  static let people: [User] = [
    user("monalisa", 1_234_567), user("octocat", 583_231), user("hubot", 480_938),
    user("kana-sample", 98_765_432), user("ada-example", 70_000_101),
    user("grace-example", 70_000_102), user("edsger-example", 70_000_103),
    user("barbara-example", 70_000_104), user("radia-example", 70_000_105),
    user("niklaus-example", 70_000_106), user("margaret-example", 70_000_107),
  ]

  /// Who has the account of those who have none any more.
  static let ghost = user("ghost", 10_137)
  /// A program that opens pull requests.
  static let bot = User(login: "dependabot[bot]", id: 49_699_333, type: "Bot")

  private static func user(_ login: String, _ id: Int64) -> User {
    User(login: login, id: id, type: "User", htmlURL: "https://github.com/\(login)")
  }
}
