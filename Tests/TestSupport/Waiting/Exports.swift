// `TestClock` and `Watched`: whoever waits for something in a test needs one of them.
@_exported public import ReactiveTesting
