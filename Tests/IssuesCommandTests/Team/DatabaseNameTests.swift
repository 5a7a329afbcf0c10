import TestSupport
import Testing

@testable import IssuesCommand

@Suite("The name of a database")
struct DatabaseNameTests {
  @Test(
    "an invalid connection string is refused",
    arguments: ["", "issues", "mirror.db", "mysql://host/db", "/tmp/mirror.db", "a=\u{0}"])
  func refused(text: String) {
    #expect(DatabaseName(text, from: .option) == nil)
  }

  @Test(
    "a database's displayed name never contains a password",
    arguments: [
      ("local", "local"), ("service=issues", "service=issues"),
      ("postgres://ada@db.example.com:5433/issues", "postgres://ada@db.example.com:5433/issues"),
      ("postgres://ada:hunter2@db/issues", "postgres://ada@db/issues"),
      ("postgresql://ada:hunter2@db/issues?password=hunter2", "postgresql://ada@db/issues"),
      ("postgres://ada:hun@hunter2@db/issues", "postgres://ada@db/issues"),
      ("postgres://ada:x/hunter2?y@db/issues", "postgres://ada@db/issues"),
      ("postgres:///issues?pass%77ord=hunter2", "postgres:///issues"),
      ("host=db dbname=issues user=ada", "host=db dbname=issues user=ada"),
      ("host=db password=hunter2 user=ada", "host=db …"),
      ("host=db password = hunter2", "host=db …"),
      ("host='db' password='hunter2 host=hunter2'", "…"),
      ("dbname=postgres://ada:hunter2@db/issues", " …"),
      ("password=hunter2 options=postgres://db", " …"),
    ])
  func shown(text: String, shown: String) throws {
    let name = try #require(DatabaseName(text, from: .configuration))
    #expect(!name.shown.contains(TeamFault.secret))
    #expect(name.shown == shown)
  }

  @Test(
    "a password in a connection string is noticed before a connection",
    arguments: [
      ("postgres://ada:hunter2@db/issues", true), ("host=db password=hunter2", true),
      ("postgres:///issues?sslpassword=hunter2", true), ("postgres://ada@db:5433/issues", false),
      ("postgres://db:5433/issues?application_name=a@b", false), ("service=issues", false),
    ])
  func passwords(text: String, isShown: Bool) throws {
    #expect(try #require(DatabaseName(text, from: .option)).showsPassword == isShown)
  }
}
