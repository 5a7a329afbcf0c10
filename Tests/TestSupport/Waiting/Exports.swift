// `Watched` and `TestClock`: whoever waits for something in a test needs one of them.
@_exported public import ConcurrencyPrimitives
@_exported public import ReactiveTesting
