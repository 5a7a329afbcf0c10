import HTTPTargets
import Testing

@Suite("Validation")
struct ValidationTests {
  @Test(
    "each validation accepts exactly its status codes",
    arguments: [
      (Validation.none, [100, 199, 200, 299, 300, 399, 400, 404, 500, 599], []),
      (.successCodes, [200, 204, 299], [199, 300, 304, 404, 500]),
      (.successAndRedirectCodes, [200, 299, 300, 304, 399], [199, 400, 500]),
      (.codes([200, 404]), [200, 404], [199, 201, 299, 403, 405]),
    ] as [(Validation, [Int], [Int])])
  func limits(validation: Validation, accepted: [Int], refused: [Int]) {
    for code in accepted { #expect(validation.accepts(.init(code: code)), "\(code)") }
    for code in refused { #expect(!validation.accepts(.init(code: code)), "\(code)") }
  }
}
