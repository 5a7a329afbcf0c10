import HTTPTargets
import Testing

@testable import CurlTransport

@Suite("Certificate problems")
struct CertificateProblemTests {
  @Test(
    "OpenSSL error numbers identify certificate problems",
    arguments: [
      (9, .notYetValid), (10, .expired), (18, .selfSigned), (19, .selfSigned),
      (20, .unknownAuthority), (21, .unknownAuthority), (23, .revoked), (62, .wrongHost), (1, nil),
    ] as [(Int, CertificateProblem?)])
  func numbers(code: Int, problem: CertificateProblem?) {
    #expect(CertificateProblem(verifyResult: code, words: "") == problem)
  }

  @Test(
    "the library's error message identifies a certificate problem without a number",
    arguments: [
      (
        "SSL: no alternative certificate subject name matches target host name 'a.example'",
        .wrongHost
      ),
      (
        "SSL: certificate subject name 'a.example' does not match target host name 'b.example'",
        .wrongHost
      ),
      ("SSL certificate problem: certificate has expired", .expired),
      ("server certificate expiration date has passed.", .expired),
      ("SSL certificate problem: certificate is not yet valid", .notYetValid),
      ("server certificate activation date is in the future.", .notYetValid),
      ("SSL certificate problem: self-signed certificate", .selfSigned),
      ("SSL certificate problem: self signed certificate in certificate chain", .selfSigned),
      ("SSL certificate problem: unable to get local issuer certificate", .unknownAuthority),
      ("SSL certificate problem: certificate revoked", .revoked),
      ("error setting certificate file: /nonexistent", nil),
      ("", nil),
    ] as [(String, CertificateProblem?)])
  func words(text: String, problem: CertificateProblem?) {
    #expect(CertificateProblem(verifyResult: 0, words: text) == problem)
  }
}
