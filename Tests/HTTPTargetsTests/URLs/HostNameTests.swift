import HTTPTargets
import Testing

@Suite("HostName")
struct HostNameTests {
  @Test(
    "a host has one normalized spelling",
    arguments: [
      ("GitHub.COM", "github.com", nil), ("github.com.", "github.com", nil),
      ("a_b.example:8080", "a_b.example", 8080), ("192.0.2.1:1", "192.0.2.1", 1),
      ("[::1]:65535", "[::1]", 65_535), ("[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]", nil),
      ("[2001:DB8:00::0A]", "[2001:db8::a]", nil), ("[1:2:3:4:5:6:7::]", "[1:2:3:4:5:6:7:0]", nil),
      ("[::]", "[::]", nil), ("[::FFFF:102:304]", "[::ffff:102:304]", nil),
      ("[0:0:0:0:0:0:102:304]", "[::102:304]", nil),
      ("[1:0:2:0:3:0:4:0]", "[1:0:2:0:3:0:4:0]", nil),
      ("xn--bcher-kva.example", "xn--bcher-kva.example", nil),
    ] as [(String, String, Int?)])
  func spelling(text: String, host: String, port: Int?) throws {
    let name = try #require(HostName(text))
    #expect(name.host == host)
    #expect(name.port == port)
  }

  @Test(
    "an ambiguous host is refused",
    arguments: [
      "", ".", "a..b", "-a", "a-", "a b", "a@b", "a%41", "ä", "a/b", "a:", "a:b", "a:0", "a:65536",
      "a:-1", "127.1", "0x7f.1", "010.0.0.1", "256.0.0.1", "1.2.3.4.5", "2130706433", "[::1", "::1",
      "[]", "[:::]", "[1:2]", "[1::2::3]", "[::1%eth0]", "[::ffff:1.2.3.4]", "[12345::]",
      "[1:]", "[:1::]", "[1:2:3:4:5:6:7:8:9]", "[1::2:3:4:5:6:7:8]", "[g::]",
    ])
  func none(text: String) {
    #expect(HostName(text) == nil)
  }
}
