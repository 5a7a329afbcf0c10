// What the API of this module speaks in, so that importing it is enough.
@_exported public import CurlTransport
@_exported public import GitHubAPI
@_exported public import HTTPTargets
@_exported public import Reactive
