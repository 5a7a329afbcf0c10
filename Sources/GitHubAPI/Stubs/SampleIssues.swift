internal import Locking
internal import SampleData

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The issues of the sample repositories.
public enum SampleIssues {
  /// Every issue and pull request of the sample file, of `swiftlang/swift`, with the newest first.
  ///
  /// - Returns: The issues.
  /// - Throws: `DecodingError` if the sample were broken.
  public static func all() throws -> [Issue] {
    try GitHubJSON.decode([Issue].self, from: Data(SampleData.issues)).map { issue in
      var issue = issue
      // The file spares them where there are none; GitHub always tells.
      issue.reactions = issue.reactions ?? Reactions()
      return issue
    }
  }

  /// The issues and pull requests of a sample repository.
  ///
  /// - Returns: Those of the sample file for `swiftlang/swift`, generated ones for every other; nil where
  ///   issues are switched off.
  /// - Throws: `DecodingError` if the sample were broken.
  static func of(_ repository: Repository) throws -> [Issue]? {
    guard repository.hasIssues else { return nil }
    guard try repository != SampleRepositories.swift() else { return try all() }
    let name = repository.fullName
    if let known = generated.withLock({ $0[name] }) { return known }
    let issues = GeneratedIssues(repository: name).all()
    generated.withLock { generated in
      if generated.count >= maximumKept { generated = [:] }
      generated[name] = issues
    }
    return issues
  }

  /// By their repositories: each page of a list asks for all of them.
  private static let generated = Locked<[String: [Issue]]>([:])
  /// How many repositories' issues are kept at most, of half a megabyte each.
  private static let maximumKept = 8
}
