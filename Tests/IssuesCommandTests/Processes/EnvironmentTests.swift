import Foundation
import Testing

@testable import IssuesCommand

@Suite("The environment of the process")
struct EnvironmentTests {
  @Test("the environment has the variables that Foundation finds in it")
  func variables() {
    // Another test may set a variable of its own meanwhile; PATH and HOME stay.
    let variables = Environment.ofProcess()
    let expected = ProcessInfo.processInfo.environment
    #expect(variables["PATH"] != nil)
    #expect(variables["PATH"] == expected["PATH"])
    #expect(variables["HOME"] == expected["HOME"])
    #expect(variables["NO_SUCH_VARIABLE"] == nil)
  }
}
