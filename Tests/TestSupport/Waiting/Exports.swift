// Tests that wait need `Watched` or `TestClock`.
@_exported public import ConcurrencyPrimitives
@_exported public import ReactiveTesting
