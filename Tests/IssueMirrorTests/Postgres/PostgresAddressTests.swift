import Testing

@testable import IssueMirror
@testable import IssueMirrorPostgres

@Suite(
  "Database addresses",
  .enabled(if: (try? PostgresAddress("")) != nil, "libpq isn't installed: libpq5"))
struct PostgresAddressTests {
  @Test(
    "an invalid address is refused without repeating any of its text",
    arguments: [
      "password=hunter2 secret", "postgres://me:hunter2@[host/secret",
      "host='hunter2", "postgres://host/db?hunter2=secret", "hunter2",
    ])
  func refused(text: String) async {
    let failure = await #expect(throws: MirrorFailure.self) {
      _ = try await PostgresMirror(connecting: text)
    }
    #expect(failure?.code == .cannotOpen)
    #expect(failure?.message.contains("isn't understood") == true)
    #expect(failure?.message.contains("hunter2") == false)
    #expect(failure?.message.contains("secret") == false)
  }

  @Test("neither errors nor descriptions contain the password")
  func password() async throws {
    // A socket where no server is.
    let text = "postgres://me:hunter2@/issues?host=/nowhere"
    let failure = await #expect(throws: MirrorFailure.self) {
      _ = try await PostgresMirror(connecting: text)
    }
    #expect(failure?.code == .cannotOpen)
    #expect(failure?.message.contains("the database issues on /nowhere") == true)
    #expect(failure?.message.contains("hunter2") == false)
    #expect(try !"\(PostgresAddress(text))".contains("hunter2"))
  }

  @Test(
    "a remote server must present a certificate unless the address says otherwise",
    arguments: [
      ("postgres://me@db.example.com/issues", true), ("host=10.0.0.1", true),
      ("host=localhost,db.example.com", true), ("host=127.0.0.1.example.com", true),
      ("host=localhost hostaddr=10.0.0.1", true), ("host=localhost", false),
      ("host=127.8.0.1", false), ("host=::1", false), ("host=/run/postgresql", false),
      ("host=@abstract", false), ("dbname=issues", false),
      ("host=db.example.com sslmode=require", false),
      ("postgres://db.example.com/issues?sslmode=disable", false),
      ("host=db.example.com sslmode=verify-ca", false),
    ])
  func verification(text: String, isNeeded: Bool) throws {
    let address = try PostgresAddress(text)
    #expect(try address.needsVerification(environment: [:]) == isNeeded)
    #expect(try !address.needsVerification(environment: ["PGSSLMODE": "require"]))
  }
}
