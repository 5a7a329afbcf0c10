// Methods, statuses and header fields are part of how a target is written: whoever imports this
// module gets them with it.
@_exported public import HTTPTypes
