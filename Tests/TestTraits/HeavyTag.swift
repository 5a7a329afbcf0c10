public import Testing

extension Tag {
  /// The test does only a part of its work unless `ISSUES_FULL_TESTS=1`. `Scripts/heavy-tests` runs the suites of such
  /// tests in full.
  @Tag public static var heavy: Self
}
