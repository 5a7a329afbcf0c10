import GitHubAPI
import Testing

@testable import IssueBrowser

@Suite("The hosts of images")
struct ImageHostsTests {
  @Test(
    "the image hosts of github.com are accepted",
    arguments: [
      "https://github.com/user-attachments/assets/5b2c",
      "https://GitHub.com:443/user-attachments/assets/5b2c?x=1",
      "https://github.com/apple/swift/assets/1/5b2c",
      "https://user-images.githubusercontent.com/1/2.png",
      "https://private-user-images.githubusercontent.com/1/2.png?jwt=x",
      "https://github-production-user-asset-6210df.s3.amazonaws.com/1/2?X-Amz-Date=3",
    ])
  func own(url: String) {
    #expect(ImageHosts(of: .github).has(url))
  }

  @Test(
    "other image hosts are refused",
    arguments: [
      "http://github.com/user-attachments/assets/5b2c", "https://github.com/login?return_to=x",
      "https://github.com/user-attachments", "https://github.com/apple/swift/raw/main/x.png",
      "https://github.com:8443/user-attachments/assets/5b2c",
      "https://github.com@example.com/user-attachments/assets/5b2c",
      "https://github.com.example.com/user-attachments/assets/5b2c",
      "https://example.com/user-attachments/assets/5b2c", "https://api.github.com/user",
      "https://githubusercontent.com/x.png", "https://evilgithubusercontent.com/x.png",
      "https://x.githubusercontent.com.evil.example/x.png",
      "https://github-production-user-asset-000000.s3.amazonaws.com/x.png",
      "https://127.0.0.1/user-attachments/assets/5b2c", "file:///etc/passwd",
      "data:image/png;base64,AAAA", "//github.com/user-attachments/x", "",
    ])
  func others(url: String) {
    #expect(!ImageHosts(of: .github).has(url))
  }

  @Test("an Enterprise server accepts images only from its own origin")
  func enterprise() throws {
    let hosts = ImageHosts(of: try GitHubServer(host: "github.example.com"))
    #expect(hosts.has("https://github.example.com/user-attachments/assets/5b2c"))
    #expect(!hosts.has("https://github.example.com:444/x.png"))
    #expect(!hosts.has("http://github.example.com/x.png"))
    #expect(!hosts.has("https://media.github.example.com/x.png"))
    #expect(!hosts.has("https://github.com/user-attachments/assets/5b2c"))
    let local = ImageHosts(of: try GitHubServer(apiURL: "http://127.0.0.1:8080"))
    #expect(local.has("http://127.0.0.1:8080/x.png"))
    #expect(!local.has("https://127.0.0.1:8080/x.png"))
    #expect(!local.has("http://127.0.0.1:8081/x.png"))
  }
}
