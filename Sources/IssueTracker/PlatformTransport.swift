public import HTTPTargets

#if canImport(CurlTransport)
  internal import CurlTransport
#else
  internal import URLSessionTransport
#endif

/// The transports of this platform: over libcurl on Linux and macOS, over `URLSession` on platforms without libcurl.
public enum PlatformTransport {
  /// The transport that a whole process can share.
  public static var shared: any Transport {
    #if canImport(CurlTransport)
      CurlTransport.shared
    #else
      URLSessionTransport.shared
    #endif
  }
}
