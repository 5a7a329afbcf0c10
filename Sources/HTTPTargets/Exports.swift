// Targets use HTTPTypes' methods, statuses and header fields, so importing this module is enough.
@_exported public import HTTPTypes
