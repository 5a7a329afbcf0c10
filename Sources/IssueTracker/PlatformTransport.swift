public import HTTPTargets

#if canImport(CurlTransport)
  internal import CurlTransport
#else
  internal import URLSessionTransport
#endif

/// The transports for this platform: based on libcurl on Linux and macOS, and on `URLSession` on platforms without
/// libcurl.
public enum PlatformTransport {
  /// A transport that an entire process can share.
  public static var shared: any Transport {
    #if canImport(CurlTransport)
      CurlTransport.shared
    #else
      URLSessionTransport.shared
    #endif
  }
}
