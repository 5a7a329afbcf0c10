import Testing

@testable import IssuesCommand

@Suite("Numbers of bytes")
struct ByteCountTests {
  @Test(
    "a number of bytes is shown in its largest whole unit",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1 KiB"), (1536, "1.5 KiB"),
      (10_239, "9.9 KiB"), (10_240, "10 KiB"), (1_048_575, "1023 KiB"), (50 << 20, "50 MiB"),
      (1 << 30, "1 GiB"),
    ])
  func text(bytes: Int, text: String) {
    #expect(ByteCount.text(bytes) == text)
  }
}
