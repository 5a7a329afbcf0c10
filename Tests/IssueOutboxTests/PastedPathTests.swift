import IssueOutbox
import Testing

@Suite("Paths that terminals paste")
struct PastedPathTests {
  @Test(
    "a dropped file's path is read as terminals quote it",
    arguments: [
      ("/tmp/shot.png", "/tmp/shot.png"), (" /tmp/shot.png \n", "/tmp/shot.png"),
      ("'/tmp/a shot.PNG'", "/tmp/a shot.PNG"), (#"/tmp/a\ shot\(1\).png"#, "/tmp/a shot(1).png"),
      (#"'/tmp/it'\''s.mov'"#, "/tmp/it's.mov"), ("\"/tmp/a b.gif\"", "/tmp/a b.gif"),
      ("file:///tmp/a%20shot.png", "/tmp/a shot.png"),
      ("file://localhost/tmp/a.png", "/tmp/a.png"), ("~/shot.png", "~/shot.png"),
    ])
  func path(text: String, path: String) {
    #expect(PastedPath(text)?.path == path)
  }

  @Test(
    "other text isn't the path of a file to attach",
    arguments: [
      "", "'", "''", "#12", "apple/swift#12", "shot.png", "/etc/passwd", "/tmp/a.png\n/tmp/b.png",
      "https://example.com/a.png", "see /tmp/a.png", "/tmp/a\u{0}.png",
    ])
  func noPath(text: String) {
    #expect(PastedPath(text) == nil)
  }
}
