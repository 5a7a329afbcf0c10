// Modules whose types this API uses, so that importing this one is enough.
@_exported public import GitHubAPI
@_exported public import HTTPTargets
@_exported public import Reactive

#if canImport(CurlTransport)
  @_exported public import CurlTransport
#else
  @_exported public import URLSessionTransport
#endif
