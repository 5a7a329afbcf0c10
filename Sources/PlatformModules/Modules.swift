// The modules whose names differ from platform to platform. Where there is FoundationEssentials, nothing of the package
// but its database needs the whole of Foundation with its 30 MB of ICU data.

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
